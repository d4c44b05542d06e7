/* Platform and devices as handles, and the tables that their queries answer from. */
#ifndef MPL_OPENCL_DEVICE_H
#define MPL_OPENCL_DEVICE_H

#include "opencl/objects.h"
#include "tables/version.h"

struct mpl_device_info;

/* Limits that the queries state and other files keep to. */
#define MPL_MEM_BASE_ALIGN           128u /* bytes: a long16, and a cache line pair */
#define MPL_MAX_PARAMETER_SIZE       1024u
#define MPL_MAX_GLOBAL_VARIABLE_SIZE ((size_t)64 << 20)
/* Constant memory is like any other here; a modest limit, since programs size their tests by it. */
#define MPL_MAX_CONSTANT_SIZE ((cl_ulong)64 << 20)

/* Pixels of images in each dimension, and layers of arrays. */
#define MPL_IMAGE_2D_MAX     16384u
#define MPL_IMAGE_3D_MAX     2048u
#define MPL_IMAGE_LAYERS_MAX 2048u
/* Pixels at whose multiples rows of an image over a buffer may begin.  Programs pass this number to
 * posix_memalign, which takes at least the size of a pointer. */
#define MPL_IMAGE_BASE_ALIGN 8u
/* Pixels of an image made from a buffer. */
size_t mpl_image_buffer_max(const struct mpl_device_info *);

#define MPL_PIPE_PACKET_MAX (1u << 20) /* bytes */

/* The version of a platform or device with these offers (enum mpl_offer). */
#define MPL_VERSION_TEXT(offers)                                                                   \
  (MPL_CL_MINOR(offers) ? "OpenCL 3.1 maniple " MPL_VERSION : "OpenCL 3.0 maniple " MPL_VERSION)
#define MPL_NUMERIC_VERSION(offers) CL_MAKE_VERSION(3, MPL_CL_MINOR(offers), 0)

/* OpenCL C: newer than 1.2 promises every optional feature (OpenCL 3.1,
 * CL_DEVICE_OPENCL_C_VERSION). */
#define MPL_C_VERSION(offers)                                                                      \
  (mpl_has_features(MPL_C30, offers) ? MPL_NUMERIC_VERSION(offers) : CL_MAKE_VERSION(1, 2, 0))
#define MPL_C_VERSION_TEXT(offers)                                                                 \
  (!mpl_has_features(MPL_C30, offers) ? "OpenCL C 1.2 maniple " MPL_VERSION                        \
   : MPL_CL_MINOR(offers)             ? "OpenCL C 3.1 maniple " MPL_VERSION                        \
                                      : "OpenCL C 3.0 maniple " MPL_VERSION)

/* The platform of a null handle: the first that has devices.  None is ever freed. */
cl_platform_id mpl_platform(void);

/* The platform of a kind of devices, enum mpl_device_kind. */
cl_platform_id mpl_platform_of(int kind);

/* The root devices of a platform as handles, made at first use and never freed. */
cl_device_id const *mpl_root_devices(cl_platform_id, cl_uint *count);

/* Root devices of that type, CL_DEVICE_TYPE_*; `out` may be null.  Returns how many there are. */
cl_uint mpl_devices_of_type(cl_platform_id, cl_device_type, cl_uint max, cl_device_id *out);

/* Sub-devices are counted; root devices live for ever. */
void mpl_device_handle_retain(cl_device_id);
void mpl_device_handle_release(cl_device_id);

/* Extensions and features (features.def) of a device with these offers (enum mpl_offer). */
enum mpl_feature_list { MPL_EXTENSIONS, MPL_C_FEATURES };
enum mpl_feature_of { MPL_C20, MPL_C30, MPL_ADDED }; /* each has those before it */
enum { MPL_MOST_FEATURES = 128, MPL_FEATURES_TEXT = 4096 };
size_t mpl_list_features(enum mpl_feature_list, uint32_t offers,
                         cl_name_version out[MPL_MOST_FEATURES]);
/* Whether the device has all features of that language. */
bool mpl_has_features(enum mpl_feature_of, uint32_t offers);
/* Names, each with a space behind it, as most drivers print the list; returns `out`. */
const char *mpl_extensions_text(uint32_t offers, char out[MPL_FEATURES_TEXT]);

/* The parts of SPIR-V that the device takes (tables/spirv.def): cl_khr_spirv_queries and the
 * versions. */
extern const char mpl_il_text[];
extern const cl_name_version mpl_ils[];
extern const char *const mpl_spirv_sets[];
extern const size_t mpl_num_ils, mpl_num_spirv_sets;
enum { MPL_MOST_SPIRV = 128 };
size_t mpl_list_spirv_extensions(uint32_t offers, const char *out[MPL_MOST_SPIRV]);
size_t mpl_list_spirv_capabilities(uint32_t offers, cl_uint out[MPL_MOST_SPIRV]);

/* CL_DEVICE_OPENCL_C_ALL_VERSIONS. */
size_t mpl_list_c_versions(uint32_t offers, cl_name_version out[MPL_MOST_FEATURES]);

#endif
