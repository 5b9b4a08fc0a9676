#include "CLibCurl.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

static struct cachectl_curl functions;
static int is_loaded;
static char load_error[256];
static pthread_once_t once = PTHREAD_ONCE_INIT;

static int find(void *library, const char *name, void **function) {
  *function = dlsym(library, name);
  if (*function) return 1;
  snprintf(load_error, sizeof load_error, "%s has no %s", "libcurl.so.4", name);
  return 0;
}

static void load(void) {
  void *library = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    const char *reason = dlerror();
    snprintf(load_error, sizeof load_error, "%s", reason ? reason : "no reason given");
    return;
  }
#define CACHECTL_CURL_FIND(name) \
  if (!find(library, #name, (void **)&functions.name)) return;
  CACHECTL_CURL_FUNCTIONS(CACHECTL_CURL_FIND)
  is_loaded = functions.curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
  if (!is_loaded) snprintf(load_error, sizeof load_error, "curl_global_init failed");
}

const struct cachectl_curl *cachectl_curl_load(void) {
  pthread_once(&once, load);
  return is_loaded ? &functions : NULL;
}

const char *cachectl_curl_load_error(void) { return load_error; }
