// SiteTable: what one thread did by kind, place in the program and open regions
// (MPI calls: call_sites.h; OpenMP constructs: openmp/construct_sites.h).
//
// A table of fixed size, which is looked up by a hash.  Nothing is allocated
// while it is used, and there is no lock: only its thread uses it, and others
// read it when the thread is at rest.  When it is full, further places count in
// one entry for each set of open regions.  All in further sets, where there are
// too many, counts in none of their regions.
#ifndef POPRT_MEASURE_SITE_TABLE_H_
#define POPRT_MEASURE_SITE_TABLE_H_

#include <algorithm>
#include <bitset>
#include <cstdint>
#include <new>
#include <string>
#include <vector>

#include "base/memory.h"
#include "base/mix.h"
#include "clocks/clock_set.h"
#include "measure/thread.h"

namespace poprt {

// What tells entries apart.  An entry is made of this and of what is counted.
struct SiteKey {
  const char* name = nullptr;  // null for all that have no entry
  const void* code = nullptr;  // return address in the program
  int regions = 0;             // number of the set, see RegionSets
};

// The sets of regions that were open together, by numbers.  Windows are none of
// these regions.
class RegionSets {
 public:
  static constexpr int kMost = 512;
  using Regions = std::bitset<kMaxRegions>;

  explicit RegionSets(Thread& thread) : thread_(thread) { forget(); }

  Thread& thread() const { return thread_; }
  // Whether no region was opened or closed since learn().
  bool know_regions() const;
  // program_epoch() at learn().
  uint32_t known_epoch() const { return epoch_; }
  // To be called at an event of the thread.
  void learn();
  // The set of the regions that are open.  Set 0 is for what happens while a
  // region is opened or closed, and for what is in no other: only Global.
  int open() const { return open_; }
  const Regions& operator[](int set) const { return sets_[set]; }
  // Says so, once, if there were more.
  void note_if_full(std::vector<std::string>* notes) const;
  void forget();

 private:
  Regions regions_of_program() const;

  Thread& thread_;
  uint32_t epoch_ = 0;
  int open_ = 0;
  int count_ = 0;
  bool is_full_ = false;
  Regions sets_[kMost];
};

// Site: derived from SiteKey.
template <class Site>
class SiteTable {
 public:
  static constexpr int kMostSites = 1024;

  explicit SiteTable(Thread& thread) : sets(thread) {
    sites_ = static_cast<Site*>(take_memory(
        (kMostSites + RegionSets::kMost) * sizeof(Site), alignof(Site)));
    forget();
  }
  ~SiteTable() { release_memory(sites_); }
  SiteTable(const SiteTable&) = delete;
  SiteTable& operator=(const SiteTable&) = delete;

  // The entry of a kind at a place with this set of regions.  `name` is a text
  // that lives as long as the process, and the same pointer each time.
  Site* find(const char* name, const void* code, int regions) {
    uint32_t place =
        static_cast<uint32_t>(mix(reinterpret_cast<uintptr_t>(name) * 31 +
                                  reinterpret_cast<uintptr_t>(code) +
                                  static_cast<uint64_t>(regions)) %
                              kPlaces);
    while (places_[place] != 0) {
      Site& site = sites_[places_[place] - 1];
      if (site.code == code && site.name == name && site.regions == regions) {
        return &site;
      }
      place = (place + 1) % kPlaces;
    }
    if (sites_ == nullptr) return &nowhere_;
    if (count_ == kMostSites) return others_of(regions);
    Site* const site = new (&sites_[count_]) Site();
    site->name = name;
    site->code = code;
    site->regions = regions;
    places_[place] = static_cast<uint16_t>(++count_);
    return site;
  }

  // Calls visit(site) for each entry.
  template <class Visit>
  void for_each(Visit visit) const {
    for (int i = 0; i < count_; ++i) visit(sites_[i]);
    for (int i = 0; i < others_; ++i) visit(sites_[kMostSites + i]);
    visit(nowhere_);
  }

  void forget() {
    count_ = others_ = 0;
    nowhere_ = Site();
    std::fill(places_, places_ + kPlaces, uint16_t{0});
    sets.forget();
  }

  RegionSets sets;

 private:
  static constexpr uint32_t kPlaces = 2 * kMostSites;

  // The entry of the places that have none, with this set of regions.
  Site* others_of(int regions) {
    while (others_ <= regions) {
      new (&sites_[kMostSites + others_]) Site();
      sites_[kMostSites + others_].regions = others_;
      ++others_;
    }
    return &sites_[kMostSites + regions];
  }

  int count_ = 0;
  int others_ = 0;  // entries for further places, behind the rest
  uint16_t places_[kPlaces] = {};  // 1 + the number of the entry, or 0
  Site* sites_ = nullptr;  // memory for all of these; null: there is none
  Site nowhere_;           // then all counts here
};

}  // namespace poprt

#endif  // POPRT_MEASURE_SITE_TABLE_H_
