// Messages: edge cases of their arguments and types.
#include <cstddef>

#include "messages.h"

namespace {

using namespace transparency;
constexpr char kGroup[] = "pt2pt";

CASE(empty_messages) {
  // A buffer of no elements may be null.
  Status status;
  MPI_Request requests[2];
  MPI_Irecv(nullptr, 0, MPI_INT, previous(), 2, MPI_COMM_WORLD, &requests[0]);
  MPI_Isend(nullptr, 0, MPI_INT, next(), 2, MPI_COMM_WORLD, &requests[1]);
  MPI_Wait(&requests[0], &status);
  MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
  show("nothing", status);
  MPI_Sendrecv(nullptr, 0, MPI_DOUBLE, next(), 3, nullptr, 0, MPI_DOUBLE,
               previous(), 3, MPI_COMM_WORLD, &status);
  show("nothing", status, MPI_DOUBLE);
}

CASE(bottom) {
  int out[2] = {rank() + 1, rank() + 2};
  int in[2] = {-1, -1};
  MPI_Datatype send_type;
  MPI_Datatype receive_type;
  const int lengths[2] = {1, 1};
  MPI_Aint places[2];
  MPI_Get_address(&out[0], &places[0]);
  MPI_Get_address(&out[1], &places[1]);
  MPI_Type_create_hindexed(2, lengths, places, MPI_INT, &send_type);
  MPI_Get_address(&in[1], &places[0]);
  MPI_Get_address(&in[0], &places[1]);
  MPI_Type_create_hindexed(2, lengths, places, MPI_INT, &receive_type);
  MPI_Type_commit(&send_type);
  MPI_Type_commit(&receive_type);
  Status status;
  MPI_Sendrecv(MPI_BOTTOM, 1, send_type, next(), 1, MPI_BOTTOM, 1, receive_type,
               previous(), 1, MPI_COMM_WORLD, &status);
  show("status", status, receive_type);
  line("values %d %d", in[0], in[1]);
  MPI_Type_free(&send_type);
  MPI_Type_free(&receive_type);
}

CASE(largest_tag) {
  int* bound = nullptr;
  int found = 0;
  MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &bound, &found);
  line("bound %d, found %d", *bound, found);
  for (int below = 0; below < 300; below += 7) {
    const int out = below;
    int in = -1;
    Status status;
    const int tag = *bound - below;
    MPI_Sendrecv(&out, 1, MPI_INT, next(), tag, &in, 1, MPI_INT, previous(),
                 tag, MPI_COMM_WORLD, &status);
    line("tag %d below: value %d, status %d", below, in,
         *bound - status.MPI_TAG);
    MPI_Request requests[2];
    MPI_Irecv(&in, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD,
              &requests[0]);
    MPI_Issend(&out, 1, MPI_INT, next(), tag, MPI_COMM_WORLD, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
  }
}

CASE(many_tags) {
  // Later tags are received first.
  constexpr int kTags = 200;
  std::vector<MPI_Request> requests(kTags);
  Ints out = numbers(kTags, rank() * 1000);
  for (int t = 0; t < kTags; ++t) {
    MPI_Isend(&out[static_cast<size_t>(t)], 1, MPI_INT, next(), t,
              MPI_COMM_WORLD, &requests[static_cast<size_t>(t)]);
  }
  Ints in;
  for (int t = kTags - 1; t >= 0; --t) {
    int value = -1;
    MPI_Recv(&value, 1, MPI_INT, previous(), t, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
    in.push_back(value);
  }
  MPI_Waitall(kTags, requests.data(), MPI_STATUSES_IGNORE);
  show("values", in);
}

CASE(pack_and_unpack) {
  char space[200];
  int place = 0;
  const int number = rank() + 7;
  const double real = rank() * 0.5;
  MPI_Pack(&number, 1, MPI_INT, space, sizeof space, &place, MPI_COMM_WORLD);
  MPI_Pack(&real, 1, MPI_DOUBLE, space, sizeof space, &place, MPI_COMM_WORLD);
  line("packed %d", place);
  char in[200];
  Status status;
  MPI_Sendrecv(space, place, MPI_PACKED, next(), 0, in, sizeof in, MPI_PACKED,
               previous(), 0, MPI_COMM_WORLD, &status);
  show("status", status, MPI_PACKED);
  int got = -1;
  double got_real = -1;
  place = 0;
  MPI_Unpack(in, sizeof in, &place, &got, 1, MPI_INT, MPI_COMM_WORLD);
  MPI_Unpack(in, sizeof in, &place, &got_real, 1, MPI_DOUBLE, MPI_COMM_WORLD);
  line("unpacked %d %g at %d", got, got_real, place);
}

CASE(struct_type) {
  struct Thing {
    char letter;
    double real;
    int number[3];
  };
  Thing out{'a', rank() + 0.5, {rank(), 2, 3}};
  Thing in{'?', 0, {0, 0, 0}};
  const int lengths[3] = {1, 1, 3};
  const MPI_Aint places[3] = {offsetof(Thing, letter), offsetof(Thing, real),
                              offsetof(Thing, number)};
  const MPI_Datatype types[3] = {MPI_CHAR, MPI_DOUBLE, MPI_INT};
  MPI_Datatype raw;
  MPI_Datatype type;
  MPI_Type_create_struct(3, lengths, places, types, &raw);
  MPI_Type_create_resized(raw, 0, sizeof(Thing), &type);
  MPI_Type_commit(&type);
  MPI_Type_free(&raw);
  Status status;
  MPI_Request requests[2];
  MPI_Irecv(&in, 1, type, previous(), 0, MPI_COMM_WORLD, &requests[0]);
  MPI_Isend(&out, 1, type, next(), 0, MPI_COMM_WORLD, &requests[1]);
  // Freed while in use.
  MPI_Datatype copy;
  MPI_Type_dup(type, &copy);
  MPI_Type_free(&type);
  MPI_Wait(&requests[0], &status);
  MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
  show("status", status, copy);
  line("%c %g %d %d %d", in.letter, in.real, in.number[0], in.number[1],
       in.number[2]);
  MPI_Type_free(&copy);
}

CASE(partial_type) {
  // Two and a half elements: the count is undefined, the elements are five.
  MPI_Datatype pair;
  MPI_Type_contiguous(2, MPI_INT, &pair);
  MPI_Type_commit(&pair);
  const Ints out = numbers(5, rank());
  Ints in(6, -1);
  Status status;
  MPI_Request request;
  MPI_Irecv(in.data(), 3, pair, previous(), 0, MPI_COMM_WORLD, &request);
  MPI_Send(out.data(), 5, MPI_INT, next(), 0, MPI_COMM_WORLD);
  MPI_Wait(&request, &status);
  show("status", status, pair);
  MPI_Count elements = -1;
  MPI_Get_elements_x(&status, pair, &elements);
  line("elements %lld", static_cast<long long>(elements));
  show("data", in);
  MPI_Type_free(&pair);
}

CASE(null_type_extent_zero) {
  MPI_Datatype empty;
  MPI_Type_contiguous(0, MPI_INT, &empty);
  MPI_Type_commit(&empty);
  int in = 4;
  Status status;
  MPI_Sendrecv(&in, 3, empty, next(), 0, &in, 3, empty, previous(), 0,
               MPI_COMM_WORLD, &status);
  line("source %d, tag %d, value %d", status.MPI_SOURCE, status.MPI_TAG, in);
  MPI_Type_free(&empty);
}

}  // namespace
