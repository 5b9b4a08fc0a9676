#include "CCachectl.h"
#include "cachectl.h"

#include <stdio.h>

static _Thread_local char error[1024];

const char *cachectl_error(void) { return error; }

void cachectl_keep_error(const char *text) { snprintf(error, sizeof error, "%s", text); }
