// Uses every function of cachectl.h on the cache that its argument names, and says what was wrong.
#include <cachectl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(truth)                                                             \
  do {                                                                           \
    if (!(truth)) {                                                              \
      fprintf(stderr, "%d: %s: %s\n", __LINE__, #truth, cachectl_error());       \
      exit(1);                                                                   \
    }                                                                            \
  } while (0)

int main(int count, char **words) {
  CHECK(count == 2);
  CHECK(!cachectl_open("/no/such/cache") && strstr(cachectl_error(), "/no/such/cache"));
  CHECK(!cachectl_open(NULL) && *cachectl_error());
  cachectl_cache *cache = cachectl_open(words[1]);
  CHECK(cache);

  void *bytes = cache;
  size_t size = 1;
  const char *key = "HTTPS://IMG.example:443/a.jpg";
  CHECK(cachectl_get(cache, key, &bytes, &size) == 0 && !bytes && !size);
  CHECK(cachectl_put(cache, key, "four", 4, "image/jpeg", 77) == 0);
  CHECK(cachectl_get(cache, "https://img.example/a.jpg", &bytes, &size) == 1);
  CHECK(size == 4 && !memcmp(bytes, "four", 4));
  cachectl_free(bytes);

  CHECK(cachectl_put(cache, key, NULL, 0, NULL, -1) == 0);
  CHECK(cachectl_get(cache, key, &bytes, &size) == 1 && bytes && size == 0);
  cachectl_free(bytes);
  cachectl_free(NULL);

  CHECK(cachectl_touch(cache, key) == 1 && cachectl_touch(cache, "none") == 0);
  CHECK(cachectl_remove(cache, key) == 1 && cachectl_remove(cache, key) == 0);

  CHECK(cachectl_put(cache, "", "x", 1, NULL, -1) == -1 && strstr(cachectl_error(), "empty"));
  CHECK(cachectl_put(cache, "\xff", "x", 1, NULL, -1) == -1 && strstr(cachectl_error(), "UTF-8"));
  CHECK(cachectl_put(NULL, key, "x", 1, NULL, -1) == -1 && cachectl_get(cache, key, NULL, NULL) == -1);
  cachectl_close(cache);
  cachectl_close(NULL);
  puts("all is well");
  return 0;
}
