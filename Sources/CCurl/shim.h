// The functions of libcurl that set and read options are variadic, and Swift doesn't import them.
#ifndef HOMEWARD_CURL_H
#define HOMEWARD_CURL_H

#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>

static inline CURLcode homeward_curl_set_long(CURL *handle, CURLoption option, long value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode homeward_curl_set_size(CURL *handle, CURLoption option, curl_off_t value) {
    return curl_easy_setopt(handle, option, value);
}

// libcurl copies the text.
static inline CURLcode homeward_curl_set_text(CURL *handle, CURLoption option, const char *value) {
    return curl_easy_setopt(handle, option, value);
}

// The list must live until the handle is closed.
static inline CURLcode homeward_curl_set_list(CURL *handle, CURLoption option, struct curl_slist *value) {
    return curl_easy_setopt(handle, option, value);
}

// The context must live until the handle is closed.
static inline CURLcode homeward_curl_set_context(CURL *handle, CURLoption option, void *value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode homeward_curl_set_read(CURL *handle, curl_read_callback callback) {
    return curl_easy_setopt(handle, CURLOPT_READFUNCTION, callback);
}

static inline CURLcode homeward_curl_set_header(CURL *handle, curl_write_callback callback) {
    return curl_easy_setopt(handle, CURLOPT_HEADERFUNCTION, callback);
}

static inline CURLcode homeward_curl_set_progress(CURL *handle, curl_xferinfo_callback callback) {
    return curl_easy_setopt(handle, CURLOPT_XFERINFOFUNCTION, callback);
}

static inline CURLcode homeward_curl_set_debug(CURL *handle, curl_debug_callback callback) {
    return curl_easy_setopt(handle, CURLOPT_DEBUGFUNCTION, callback);
}

// A macro of libcurl.
static inline CURLcode homeward_curl_start(void) { return curl_global_init(CURL_GLOBAL_DEFAULT); }

#endif
