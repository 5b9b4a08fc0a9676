#pragma once
// libcurl, loaded when HTTP is first needed. Linked, it would bring some forty libraries into the
// start of every command, about 10 ms, whether the command speaks HTTP or not.
#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>

#define CACHECTL_CURL_FUNCTIONS(F) \
  F(curl_global_init)              \
  F(curl_easy_init)                \
  F(curl_easy_cleanup)             \
  F(curl_easy_setopt)              \
  F(curl_easy_getinfo)             \
  F(curl_easy_strerror)            \
  F(curl_slist_append)             \
  F(curl_slist_free_all)           \
  F(curl_multi_init)               \
  F(curl_multi_cleanup)            \
  F(curl_multi_setopt)             \
  F(curl_multi_add_handle)         \
  F(curl_multi_remove_handle)      \
  F(curl_multi_socket_action)      \
  F(curl_multi_timeout)            \
  F(curl_multi_info_read)          \
  F(curl_multi_strerror)           \
  F(curl_version)

/// The functions used, each with the type that curl.h declares.
struct cachectl_curl {
#define CACHECTL_CURL_FIELD(name) __typeof__(name) *_Nonnull name;
  CACHECTL_CURL_FUNCTIONS(CACHECTL_CURL_FIELD)
#undef CACHECTL_CURL_FIELD
};

/// Loads libcurl.so.4 on the first call and gives its functions; null where that failed.
const struct cachectl_curl *_Nullable cachectl_curl_load(void);

/// Why loading failed, in the loader's words; empty where it did not.
const char *_Nonnull cachectl_curl_load_error(void);

// Swift cannot call variadic functions; these are the same calls with the types written out.

static inline CURLcode cachectl_curl_set_long(
    const struct cachectl_curl *_Nonnull curl, CURL *_Nonnull handle, CURLoption option, long value) {
  return curl->curl_easy_setopt(handle, option, value);
}

static inline CURLcode cachectl_curl_set_string(
    const struct cachectl_curl *_Nonnull curl, CURL *_Nonnull handle, CURLoption option,
    const char *_Nullable value) {
  return curl->curl_easy_setopt(handle, option, value);
}

static inline CURLcode cachectl_curl_set_pointer(
    const struct cachectl_curl *_Nonnull curl, CURL *_Nonnull handle, CURLoption option,
    void *_Nullable value) {
  return curl->curl_easy_setopt(handle, option, value);
}

static inline CURLcode cachectl_curl_set_list(
    const struct cachectl_curl *_Nonnull curl, CURL *_Nonnull handle, CURLoption option,
    struct curl_slist *_Nullable value) {
  return curl->curl_easy_setopt(handle, option, value);
}

static inline CURLcode cachectl_curl_set_write(
    const struct cachectl_curl *_Nonnull curl, CURL *_Nonnull handle, CURLoption option,
    curl_write_callback _Nonnull value) {
  return curl->curl_easy_setopt(handle, option, value);
}

static inline CURLcode cachectl_curl_set_open_socket(
    const struct cachectl_curl *_Nonnull curl, CURL *_Nonnull handle,
    curl_opensocket_callback _Nonnull value) {
  return curl->curl_easy_setopt(handle, CURLOPT_OPENSOCKETFUNCTION, value);
}

static inline CURLcode cachectl_curl_get_long(
    const struct cachectl_curl *_Nonnull curl, CURL *_Nonnull handle, CURLINFO info,
    long *_Nonnull value) {
  return curl->curl_easy_getinfo(handle, info, value);
}

static inline CURLcode cachectl_curl_get_offset(
    const struct cachectl_curl *_Nonnull curl, CURL *_Nonnull handle, CURLINFO info,
    curl_off_t *_Nonnull value) {
  return curl->curl_easy_getinfo(handle, info, value);
}

static inline CURLcode cachectl_curl_get_private(
    const struct cachectl_curl *_Nonnull curl, CURL *_Nonnull handle,
    void *_Nullable *_Nonnull value) {
  return curl->curl_easy_getinfo(handle, CURLINFO_PRIVATE, value);
}

static inline CURLMcode cachectl_curl_set_multi_long(
    const struct cachectl_curl *_Nonnull curl, CURLM *_Nonnull multi, CURLMoption option,
    long value) {
  return curl->curl_multi_setopt(multi, option, value);
}

static inline CURLMcode cachectl_curl_set_multi_socket(
    const struct cachectl_curl *_Nonnull curl, CURLM *_Nonnull multi,
    curl_socket_callback _Nonnull value) {
  return curl->curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, value);
}

static inline CURLMcode cachectl_curl_set_multi_pointer(
    const struct cachectl_curl *_Nonnull curl, CURLM *_Nonnull multi, CURLMoption option,
    void *_Nullable value) {
  return curl->curl_multi_setopt(multi, option, value);
}
