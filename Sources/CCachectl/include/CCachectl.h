// What the C interface keeps for each thread.
#pragma once

/// Keeps the text for cachectl_error, cut off where it is long.
void cachectl_keep_error(const char *text);
