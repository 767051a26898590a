// SPDX-License-Identifier: MIT
// NVTX's ranges: they go to ROCTx where that is linked, here to functions of this file, and nowhere else if it is not.
#include "check.h"

#include <nvtx3/nvToolsExt.h>
#include <string>

static std::string heard;
extern "C" void roctxMarkA(const char *message) { heard += std::string("mark ") + message + ';'; }
extern "C" int roctxRangePushA(const char *message) {
  heard += std::string("push ") + message + ';';
  return 3;
}
extern "C" int roctxRangePop() {
  heard += "pop;";
  return 2;
}

int main() {
  nvtxEventAttributes_t event = {};
  event.version = NVTX_VERSION, event.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
  event.colorType = NVTX_COLOR_ARGB, event.color = 0xff00ff00;
  event.messageType = NVTX_MESSAGE_TYPE_ASCII, event.message.ascii = "inner";
  EXPECT(nvtxRangePush("outer") == 3 && nvtxDomainRangePushEx(nvtxDomainCreate("mine"), &event) == 3);
  nvtxMark("here");
  EXPECT(nvtxRangePop() == 2 && nvtxRangePop() == 2);
  EXPECT(heard == "push outer;push inner;mark here;pop;pop;");
  nvtxRangeEnd(nvtxRangeStart("not linked")); // roctxRangeStartA is not there
  EXPECT(heard.size() == 40);
}
