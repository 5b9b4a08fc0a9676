#pragma once

/// Gives up every right that decoding does not need, for good. 0, or what could not be given up.
const char *confine(void);
