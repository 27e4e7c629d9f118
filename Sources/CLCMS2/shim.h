#include <lcms2.h>

// How libgd keeps a pixel on a little-endian machine, in Little CMS's words (its own name is a macro, not importable).
static const cmsUInt32Number homeward_gd_pixel_layout = TYPE_BGRA_8;
