#include <lcms2.h>

// How libgd keeps a pixel on a little-endian machine, in Little CMS's words (its own name is a macro, not importable).
static const cmsUInt32Number homeward_gd_pixel_layout = TYPE_BGRA_8;
// The inks of a JPEG, and those of one with Adobe's marker, where 255 means no ink.
static const cmsUInt32Number homeward_cmyk_layout = TYPE_CMYK_8;
static const cmsUInt32Number homeward_inverted_cmyk_layout = TYPE_CMYK_8_REV;
