// libjpeg reports a fatal error by a jump (setjmp), which Swift can't do. The functions here contain the jumps.
#ifndef HOMEWARD_JPEG_H
#define HOMEWARD_JPEG_H

#include <setjmp.h>
#include <stdio.h>
#include <jpeglib.h>
#include <jerror.h>

typedef enum {
    HOMEWARD_JPEG_DECODED,
    HOMEWARD_JPEG_DAMAGED,
    // A progressive file needs memory for all its coefficients.
    HOMEWARD_JPEG_NO_MEMORY,
} homeward_jpeg_status;

typedef struct {
    struct jpeg_error_mgr base;
    jmp_buf jump;
    // Coded data was missing, so that pixels were made up.
    boolean lacks_data;
} homeward_jpeg_errors;

typedef struct {
    struct jpeg_progress_mgr base;
    int maximum_scans;
} homeward_jpeg_progress;

// Receives the size of the reduced picture before the first row. Returns whether to go on.
typedef int (*homeward_jpeg_start)(void *context, unsigned width, unsigned height, int is_cmyk, int is_inverted);
// Receives a row of pixels: blue, green, red and a fourth byte, or the four inks of CMYK.
typedef void (*homeward_jpeg_row)(void *context, unsigned char *pixels, unsigned row);

static inline void homeward_jpeg_fail(j_common_ptr info) { longjmp(((homeward_jpeg_errors *)info->err)->jump, 1); }

static inline void homeward_jpeg_note(j_common_ptr info, int level) {
    homeward_jpeg_errors *errors = (homeward_jpeg_errors *)info->err;
    if (level < 0 && errors->base.msg_code == JWRN_HIT_MARKER) errors->lacks_data = TRUE;
}

static inline void homeward_jpeg_be_silent(j_common_ptr info) { (void)info; }

// libjpeg calls this for each row of blocks of each scan. It processes the whole picture for each scan, even for one of
// a few bytes, so that a small file can take minutes. Applications must limit the scans: "Two Issues with the JPEG
// Standard", https://libjpeg-turbo.org. The option -maxscans of djpeg does it in the same way.
static inline void homeward_jpeg_limit_scans(j_common_ptr info) {
    homeward_jpeg_progress *progress = (homeward_jpeg_progress *)info->progress;
    if (((j_decompress_ptr)info)->input_scan_number > progress->maximum_scans) homeward_jpeg_fail(info);
}

// Decodes a file, reduced to `eighths` eighths of its size. What libjpeg only warns about is ignored, as in browsers.
// A file with more than `maximum_scans` scans counts as damaged. `complete` becomes the number of rows before the first
// one whose coded data is missing.
static inline homeward_jpeg_status homeward_jpeg_decode(
    const unsigned char *bytes, unsigned long count, unsigned eighths, int maximum_scans, homeward_jpeg_start start,
    homeward_jpeg_row row, void *context, unsigned *complete) {
    struct jpeg_decompress_struct info;
    homeward_jpeg_errors errors;
    homeward_jpeg_progress progress = {
        .base = {.progress_monitor = homeward_jpeg_limit_scans}, .maximum_scans = maximum_scans};
    volatile unsigned known = 0;
    volatile boolean is_known = FALSE;
    info.err = jpeg_std_error(&errors.base);
    errors.base.error_exit = homeward_jpeg_fail;
    errors.base.emit_message = homeward_jpeg_note;
    errors.base.output_message = homeward_jpeg_be_silent;
    errors.lacks_data = FALSE;
    if (setjmp(errors.jump)) {
        jpeg_destroy_decompress(&info);
        return errors.base.msg_code == JERR_OUT_OF_MEMORY ? HOMEWARD_JPEG_NO_MEMORY : HOMEWARD_JPEG_DAMAGED;
    }
    jpeg_create_decompress(&info);
    info.progress = &progress.base;
    jpeg_mem_src(&info, bytes, count);
    jpeg_read_header(&info, TRUE);
    boolean is_cmyk = info.jpeg_color_space == JCS_CMYK || info.jpeg_color_space == JCS_YCCK;
    info.out_color_space = is_cmyk ? JCS_CMYK : JCS_EXT_BGRX;
    info.scale_num = eighths;
    info.scale_denom = 8;
    jpeg_start_decompress(&info);
    // A progressive file is read at once. All scans but the first only add detail.
    if (info.input_scan_number > 1) errors.lacks_data = FALSE;
    if (!start(context, info.output_width, info.output_height, is_cmyk, info.saw_Adobe_marker)) {
        jpeg_destroy_decompress(&info);
        return HOMEWARD_JPEG_NO_MEMORY;
    }
    JSAMPARRAY line = (*info.mem->alloc_sarray)((j_common_ptr)&info, JPOOL_IMAGE, info.output_width * 4, 1);
    while (info.output_scanline < info.output_height) {
        unsigned index = info.output_scanline;
        if (jpeg_read_scanlines(&info, line, 1) != 1) break;
        if (!is_known && errors.lacks_data) {
            is_known = TRUE;
            known = index;
        }
        row(context, line[0], index);
    }
    *complete = is_known ? known : info.output_scanline;
    jpeg_destroy_decompress(&info);
    return HOMEWARD_JPEG_DECODED;
}

#endif
