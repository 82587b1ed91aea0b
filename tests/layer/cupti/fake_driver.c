/* A pretended libcuda: what poprt asks of the driver. */
#include <string.h>

int cuDriverGetVersion(int* version) {
  *version = 13000;
  return 0;
}
int cuDeviceGet(int* device, int number) {
  *device = number;
  return number < 2 ? 0 : 101;
}
int cuDeviceGetName(char* name, int size, int device) {
  strncpy(name, device == 0 ? "Pretended GPU" : "Other GPU", (size_t)size);
  return 0;
}
int cuDeviceGetUuid_v2(unsigned char* uuid, int device) {
  for (int i = 0; i < 16; ++i) uuid[i] = (unsigned char)(i * 17 + device);
  return 0;
}
