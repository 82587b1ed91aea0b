// The events of bench/events.h.
#include "bench/events.h"
#include "instructions/counting.h"

int main() {
  poprt::counting::say_build();
  poprt::counting::toggle();
  for (const poprt::bench::Event& event : poprt::bench::kEvents) {
    poprt::bench::Events events;
    poprt::counting::count(event.name, [&]() { (events.*event.run)(); });
  }
}
