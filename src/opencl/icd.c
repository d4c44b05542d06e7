/* The part that an ICD loader sees (cl_khr_icd): the dispatch table that every object begins with,
 * and function addresses by name.  All of it comes from entry_points.def. */
#include <string.h>

#include "objects.h"
#include "opencl/enqueue/command_buffer.h"
#include "opencl/memory/usm.h"
#include "semaphore.h"

/* Protected: the loader has functions of the same names, and ours must mean ours. */
#define EXPORT __attribute__((visibility("protected")))

cl_command_queue CL_API_CALL clCreateCommandQueueWithPropertiesKHR(
    cl_context context, cl_device_id device, const cl_queue_properties_khr *properties,
    cl_int *errcode_ret) {
  return clCreateCommandQueueWithProperties(context, device, properties, errcode_ret);
}

/* Sharing extensions that no device offers: a loader calls through their slots without looking, so
 * the slots decline instead of being null.  (Those of Direct3D exist on Windows only.) */
static cl_mem decline_buffer(cl_context context, cl_mem_flags flags, cl_GLuint name, int *error) {
  if (error) *error = CL_INVALID_OPERATION;
  return NULL;
}

static cl_mem decline_texture(cl_context context, cl_mem_flags flags, cl_GLenum target,
                              cl_GLint level, cl_GLuint texture, cl_int *error) {
  return decline_buffer(context, flags, texture, error);
}

static cl_mem decline_egl_image(cl_context context, CLeglDisplayKHR display, CLeglImageKHR image,
                                cl_mem_flags flags, const cl_egl_image_properties_khr *properties,
                                cl_int *error) {
  return decline_buffer(context, flags, 0, error);
}

static cl_event decline_gl_sync(cl_context context, cl_GLsync sync, cl_int *error) {
  if (error) *error = CL_INVALID_OPERATION;
  return NULL;
}

static cl_event decline_egl_sync(cl_context context, CLeglSyncKHR sync, CLeglDisplayKHR display,
                                 cl_int *error) {
  return decline_gl_sync(context, NULL, error);
}

static cl_int decline_objects(cl_command_queue queue, cl_uint num_objects, const cl_mem *objects,
                              cl_uint num_events, const cl_event *events, cl_event *event) {
  return CL_INVALID_OPERATION;
}

static cl_int decline_object_info(cl_mem object, cl_gl_object_type *type, cl_GLuint *name) {
  return CL_INVALID_GL_OBJECT;
}

static cl_int decline_texture_info(cl_mem object, cl_gl_texture_info param, size_t size,
                                   void *value, size_t *size_ret) {
  return CL_INVALID_GL_OBJECT;
}

static cl_int decline_context_info(const cl_context_properties *properties,
                                   cl_gl_context_info param, size_t size, void *value,
                                   size_t *size_ret) {
  return CL_INVALID_GL_SHAREGROUP_REFERENCE_KHR;
}

const struct mpl_dispatch mpl_dispatch = {
#define MPL_ENTRY(since, name) .known.name = name,
#define MPL_EXTENSION_ENTRY(name)
#ifdef CL_VERSION_3_1
#define MPL_LATER_ENTRY MPL_ENTRY
#else
#define MPL_LATER_ENTRY(since, name)
#endif
#include "tables/entry_points.def"
#undef MPL_ENTRY
#undef MPL_LATER_ENTRY
    .known.clCreateFromGLBuffer = decline_buffer,
    .known.clCreateFromGLRenderbuffer = decline_buffer,
    .known.clCreateFromGLTexture = decline_texture,
    .known.clCreateFromGLTexture2D = decline_texture,
    .known.clCreateFromGLTexture3D = decline_texture,
    .known.clGetGLObjectInfo = decline_object_info,
    .known.clGetGLTextureInfo = decline_texture_info,
    .known.clGetGLContextInfoKHR = decline_context_info,
    .known.clEnqueueAcquireGLObjects = decline_objects,
    .known.clEnqueueReleaseGLObjects = decline_objects,
    .known.clCreateEventFromGLsyncKHR = decline_gl_sync,
    .known.clCreateFromEGLImageKHR = decline_egl_image,
    .known.clEnqueueAcquireEGLObjectsKHR = decline_objects,
    .known.clEnqueueReleaseEGLObjectsKHR = decline_objects,
    .known.clCreateEventFromEGLSyncKHR = decline_egl_sync,
    /* cl_ext_device_fission is what clCreateSubDevices of 1.2 was made from; only the property
     * numbers differ, so its creation declines by those. */
    .known.clCreateSubDevicesEXT = (__typeof__(mpl_dispatch.known.clCreateSubDevicesEXT))clCreateSubDevices,
    .known.clRetainDeviceEXT = clRetainDevice,
    .known.clReleaseDeviceEXT = clReleaseDevice,
    .known.clGetKernelSubGroupInfoKHR = clGetKernelSubGroupInfo,
#ifndef CL_VERSION_3_1
    .later = {
#define MPL_ENTRY(since, name)
#define MPL_LATER_ENTRY(since, name) (void *)name,
#include "tables/entry_points.def"
#undef MPL_ENTRY
#undef MPL_LATER_ENTRY
    },
#endif
#undef MPL_EXTENSION_ENTRY
};

static const struct {
  const char *name;
  void *address;
} functions[] = {
#define MPL_ENTRY(since, name)       {#name, (void *)name},
#define MPL_LATER_ENTRY(since, name) {#name, (void *)name},
#define MPL_EXTENSION_ENTRY(name)    {#name, (void *)name},
#include "tables/entry_points.def"
#undef MPL_ENTRY
#undef MPL_LATER_ENTRY
#undef MPL_EXTENSION_ENTRY
};

EXPORT void *CL_API_CALL clGetExtensionFunctionAddress(const char *name) {
  if (!name) return NULL;
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
    if (!strcmp(functions[i].name, name)) return functions[i].address;
  return NULL;
}

void *CL_API_CALL clGetExtensionFunctionAddressForPlatform(cl_platform_id platform,
                                                           const char *name) {
  return mpl_valid(platform, MPL_PLATFORM) ? clGetExtensionFunctionAddress(name) : NULL;
}

EXPORT cl_int CL_API_CALL clIcdGetPlatformIDsKHR(cl_uint num_entries, cl_platform_id *platforms,
                                                 cl_uint *num_platforms) {
  return clGetPlatformIDs(num_entries, platforms, num_platforms);
}
