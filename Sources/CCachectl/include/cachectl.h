/* cachectl.h: one shared image cache on disk, for programs in any language.
 *
 *   cachectl_cache *cache = cachectl_open("/var/cache/images");
 *   if (!cache) die(cachectl_error());
 *   cachectl_put(cache, "https://img.example/a.jpg", bytes, size, "image/jpeg", -1);
 *   void *image;
 *   size_t length;
 *   if (cachectl_get(cache, "https://img.example/a.jpg", &image, &length) == 1) { ...; cachectl_free(image); }
 *   cachectl_close(cache);
 *
 * Keys are UTF-8 of 1 to 8192 bytes that end in a NUL; one that is a URL is normalised (cachectl-layout(5)).
 * Any number of threads may use one cache at once, and any number of processes one directory. No function
 * writes to the terminal, changes a signal or ends the process.
 */
#ifndef CACHECTL_H
#define CACHECTL_H
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* An open cache. */
typedef struct cachectl_cache cachectl_cache;

/* Opens the cache at `root`, which `cachectl init` has made. NULL where that fails: see cachectl_error. */
cachectl_cache *cachectl_open(const char *root);

/* Closes a cache that no other thread is using; NULL is let pass. */
void cachectl_close(cachectl_cache *cache);

/* Stores an image in place of the one with its key; readers see the old one or the new one, whole.
 *
 * `type` is its media type, or NULL. `cost` is what eviction by cost goes by, or negative for the length.
 * Where the cache grows beyond its policy by it, the least recently used entries are evicted soon,
 * by a thread of the library. 0: stored; -1: not, and the cache holds what it held. */
int cachectl_put(cachectl_cache *cache, const char *key, const void *bytes, size_t size, const char *type,
                 int64_t cost);

/* Reads an image, which is a use of it. 1: `*bytes` is the caller's, to be freed by cachectl_free, and `*size`
 * its length; 0: there is none; -1: an error. What is damaged on disk so that it cannot be read is none. */
int cachectl_get(cachectl_cache *cache, const char *key, void **bytes, size_t *size);

/* Frees what cachectl_get gave; NULL is let pass. */
void cachectl_free(void *bytes);

/* Records a use, at most once a minute. 1: recorded; 0: there is no such entry; -1: an error. */
int cachectl_touch(cachectl_cache *cache, const char *key);

/* Removes an entry. 1: it has gone; 0: there was none; -1: an error, and it is still there. */
int cachectl_remove(cachectl_cache *cache, const char *key);

/* What went wrong in the last call of this thread that failed: what was tried, on which path, and why. Never
 * NULL; it holds until this thread's next failure. */
const char *cachectl_error(void);

#ifdef __cplusplus
}
#endif
#endif
