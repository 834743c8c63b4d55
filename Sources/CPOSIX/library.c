#define _GNU_SOURCE
#include "cposix.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

const char *cposix_open(struct cposix_library *library) {
  void *handle = NULL;
  const char *file = library->files;
  for (; !handle && *file; file += handle ? 0 : strlen(file) + 1)
    handle = dlopen(file, RTLD_LAZY | RTLD_LOCAL);
  if (!handle) {
    const char *text = dlerror();
    snprintf(library->reason, sizeof library->reason, "%s", text ? text : "unknown reason");
    return library->reason;
  }
  char *field = library->table;
  for (const char *name = library->functions; *name; name += strlen(name) + 1) {
    // It also finds the functions of the libraries that this one needs.
    void *function = dlsym(handle, name);
    if (!function) {
      snprintf(library->reason, sizeof library->reason, "%s has no function %s", file, name);
      return library->reason;
    }
    memcpy(field, &function, sizeof function);
    field += sizeof function;
  }
  return NULL;
}
