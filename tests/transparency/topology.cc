// Communicators with a topology.
#include "transparency.h"

namespace {

using namespace transparency;

constexpr char kGroup[] = "topology";

void show_cart(MPI_Comm comm) {
  if (comm == MPI_COMM_NULL) {
    line("null");
    return;
  }
  int n = -1;
  MPI_Cartdim_get(comm, &n);
  Ints dims(static_cast<size_t>(n) + 1);
  Ints periods(dims.size());
  Ints coords(dims.size());
  MPI_Cart_get(comm, n, dims.data(), periods.data(), coords.data());
  int own = -1;
  MPI_Cart_rank(comm, coords.data(), &own);
  dims.resize(static_cast<size_t>(n));
  coords.resize(static_cast<size_t>(n));
  line("dims %s, coords %s, rank %d", text_of(dims).c_str(),
       text_of(coords).c_str(), own);
  for (int d = 0; d < n; ++d) {
    int low = -9;
    int high = -9;
    MPI_Cart_shift(comm, d, 1, &low, &high);
    line("shift %d: %d %d", d, low, high);
  }
  use("cart", comm);
}

CASE(cart) {
  for (const int reorder : {0, 1}) {
    MPI_Comm comm;
    int dims[2] = {0, 0};
    const int periods[2] = {1, 0};
    MPI_Dims_create(size(), 2, dims);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, reorder, &comm);
    show_cart(comm);
    MPI_Comm rows;
    MPI_Comm columns;
    const int keep_rows[2] = {0, 1};
    const int keep_columns[2] = {1, 0};
    MPI_Cart_sub(comm, keep_rows, &rows);
    MPI_Cart_sub(comm, keep_columns, &columns);
    show_cart(rows);
    show_cart(columns);
    const int keep_nothing[2] = {0, 0};
    MPI_Comm point;
    MPI_Cart_sub(comm, keep_nothing, &point);
    use("point", point);
    // A topology of no dimension: in MPICH 4.0 most processes are not in it.
    if (point != MPI_COMM_NULL) MPI_Comm_free(&point);
    for (MPI_Comm* c : {&rows, &columns, &comm}) MPI_Comm_free(c);
  }
}

CASE(cart_of_some) {
  MPI_Comm comm;
  const int dims[1] = {size() > 1 ? size() - 1 : 1};
  const int periods[1] = {1};
  MPI_Cart_create(MPI_COMM_WORLD, 1, dims, periods, 1, &comm);
  show_cart(comm);
  if (comm != MPI_COMM_NULL) MPI_Comm_free(&comm);
}

CASE(cart_without_dimensions) {
  MPI_Comm comm;
  MPI_Cart_create(MPI_COMM_WORLD, 0, nullptr, nullptr, 0, &comm);
  line("null: %s", yes(comm == MPI_COMM_NULL));
  if (comm != MPI_COMM_NULL) MPI_Comm_free(&comm);
}

CASE(cart_duplicated) {
  MPI_Comm comm;
  MPI_Comm copy;
  const int dims[1] = {size()};
  const int periods[1] = {1};
  MPI_Cart_create(MPI_COMM_WORLD, 1, dims, periods, 0, &comm);
  MPI_Comm_dup(comm, &copy);
  MPI_Comm_free(&comm);
  show_cart(copy);
  const int out = rank();
  int in[2] = {-1, -1};
  MPI_Neighbor_allgather(&out, 1, MPI_INT, in, 1, MPI_INT, copy);
  line("neighbours %d %d", in[0], in[1]);
  MPI_Comm_free(&copy);
}

CASE(graph) {
  for (const int reorder : {0, 1}) {
    MPI_Comm comm;
    Ints index;
    Ints edges;
    for (int p = 0; p < size(); ++p) {
      edges.push_back((p + 1) % size());
      edges.push_back((p + size() - 1) % size());
      index.push_back(2 * (p + 1));
    }
    MPI_Graph_create(MPI_COMM_WORLD, size(), index.data(), edges.data(),
                     reorder, &comm);
    int nodes = -1;
    int edge_count = -1;
    MPI_Graphdims_get(comm, &nodes, &edge_count);
    line("%d nodes, %d edges", nodes, edge_count);
    Ints got_index(static_cast<size_t>(nodes));
    Ints got_edges(static_cast<size_t>(edge_count));
    MPI_Graph_get(comm, nodes, edge_count, got_index.data(), got_edges.data());
    show("index", got_index);
    show("edges", got_edges);
    int kind = -1;
    MPI_Topo_test(comm, &kind);
    line("graph: %s", yes(kind == MPI_GRAPH));
    use("graph", comm);
    MPI_Comm_free(&comm);
  }
}

CASE(graph_of_some) {
  MPI_Comm comm;
  const int index[2] = {1, 2};
  const int edges[2] = {1, 0};
  const int nodes = size() > 1 ? 2 : 1;
  MPI_Graph_create(MPI_COMM_WORLD, nodes, index, edges, 0, &comm);
  use("graph", comm);
  if (comm != MPI_COMM_NULL) MPI_Comm_free(&comm);
}

CASE(dist_graph) {
  // Open MPI's MPI_Dist_graph_create hangs now and then with more.
  if (size() > 3) return;
  for (const int reorder : {0, 1}) {
    MPI_Comm comm;
    // Process 0 specifies the whole graph.
    Ints sources;
    Ints degrees;
    Ints targets;
    Ints weights;
    if (rank() == 0) {
      for (int p = 0; p < size(); ++p) {
        sources.push_back(p);
        degrees.push_back(1);
        targets.push_back((p + 2) % size());
        weights.push_back(p + 1);
      }
    }
    MPI_Dist_graph_create(MPI_COMM_WORLD, static_cast<int>(sources.size()),
                          sources.data(), degrees.data(), targets.data(),
                          rank() == 0 ? weights.data() : MPI_WEIGHTS_EMPTY,
                          MPI_INFO_NULL, reorder, &comm);
    int in = -1;
    int out = -1;
    int weighted = -1;
    MPI_Dist_graph_neighbors_count(comm, &in, &out, &weighted);
    line("in %d, out %d, weighted %d", in, out, weighted);
    Ints from(static_cast<size_t>(in) + 1);
    Ints to(static_cast<size_t>(out) + 1);
    Ints in_weights(from.size());
    Ints out_weights(to.size());
    MPI_Dist_graph_neighbors(comm, in, from.data(), in_weights.data(), out,
                             to.data(), out_weights.data());
    show("from", from);
    show("to", to);
    show("weights", out_weights);
    use("graph", comm);
    MPI_Comm_free(&comm);
  }
}

CASE(dist_graph_adjacent) {
  MPI_Comm comm;
  const int from[2] = {previous(), rank()};
  const int to[2] = {next(), rank()};
  const int weights[2] = {2, 3};
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 2, from, weights, 2, to,
                                 weights, MPI_INFO_NULL, 0, &comm);
  int in = -1;
  int out = -1;
  int weighted = -1;
  MPI_Dist_graph_neighbors_count(comm, &in, &out, &weighted);
  line("in %d, out %d, weighted %d", in, out, weighted);
  use("graph", comm);
  MPI_Comm copy;
  MPI_Comm_dup(comm, &copy);
  int kind = -1;
  MPI_Topo_test(copy, &kind);
  line("the same kind: %s", yes(kind == MPI_DIST_GRAPH));
  MPI_Comm_free(&copy);
  MPI_Comm_free(&comm);
}

}  // namespace
