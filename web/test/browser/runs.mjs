// Run files that are not measured but made: with names that would be markup,
// with many regions, with many processes.

const MS = 1e6;

// With what the schema of run files requires besides: of a run in which nothing
// of that happened.  Columns are as long as that of the ranks.
export function complete(value, schema) {
  if (Array.isArray(value)) return value.map((each) => complete(each, schema.items));
  if (value === null || typeof value !== 'object' || !schema.properties) return value;
  const nothing = ({ type = 'string', items }) => {
    if (type === 'array') return (value.rank ?? []).map(() => nothing(items));
    if (type.includes('integer')) return 0;
    return type.includes('null') ? null : { string: '', boolean: false, object: {} }[type];
  };
  return Object.fromEntries(Object.entries(schema.properties).map(([key, of]) => [key, complete(value[key] ?? nothing(of), of)]));
}

function region(name, ranks, threads, ms, part) {
  const cores = ranks * threads;
  const run = Math.round(ms * MS);
  const useful = Math.round(run * part);
  const outside = Math.round(run * (part + 0.8 * (1 - part)));
  const host = { host: 'node0000', processes: ranks, not_mpi_sum_ns: outside * ranks };
  return {
    name,
    clocks_complete: true,
    accumulators: {
      processes: ranks,
      threads: cores,
      visits: ranks,
      visits_max: 1,
      elapsed_max_ns: run,
      elapsed_weighted_ns: run * cores,
      useful_sum_ns: useful * cores,
      mpi_sum_ns: (run - outside) * cores,
      omp_sum_ns: (outside - useful) * cores,
      useful_max_ns: Math.round(useful * 1.02),
      useful_max_weighted_ns: Math.round(useful * 1.01) * cores,
      serial_sum_ns: Math.round(useful / 10) * ranks,
      serial_weighted_ns: Math.round(useful / 10) * cores,
      openmp_weighted_ns: outside * cores - Math.round(useful / 10) * cores,
      outside_mpi_max_ns: outside,
      mpi_callers: ranks,
      mpi_callers_outside_sum_ns: outside * ranks,
      mpi_callers_outside_max_ns: outside,
      pl_cue_ns: Math.round(useful * 1.02),
      cue_ns: Math.round(useful * 1.03),
      com_ns: Math.round(outside * 1.01),
      comp_ns: Math.round(outside * 1.01),
      coo_ns: Math.round(run * 0.99),
      all_ns: run,
      talp_useful_ns: useful * ranks,
      talp_mpi_ns: (run - outside) * ranks,
      talp_omp_serial_ns: 0,
      talp_omp_load_balance_ns: (outside - useful) * ranks,
      talp_omp_scheduling_ns: 0,
      talp_mpi_worker_idle_ns: 0,
      talp_not_mpi_max_ns: outside,
      in_full_tables: 0,
      nodes: [host],
    },
  };
}

function file(program, ranks, threads, regions, more = {}) {
  const { hosts = [{ name: 'node0000', processes: ranks }], processes = null, command = [`./${program}`] } = more;
  return {
    schema: 'poprt.run',
    schema_version: '1.0',
    run: {
      program,
      command,
      start_time: '2026-01-02T03:04:05Z',
      ranks,
      threads: ranks * threads,
      threads_per_process: { min: threads, max: threads },
      hosts,
      mpi: { library: 'Open MPI v4.1.4', thread_level: 'MPI_THREAD_FUNNELED' },
      openmp: { runtime: 'LLVM OMP version: 5.0.20140926' },
      clock: 'tsc',
    },
    quality: { notes: more.notes ?? [] },
    processes,
    regions,
  };
}

export function hostile() {
  const names = ['<script>hacked=1</script>', '<img src=x onerror=hacked=1>', '</script><script>hacked=1', "'\"&amp;<!--", '\u202egnp.exe', '日本語の領域 🚀'];
  const regions = [region('Global', 4, 4, 1000, 0.7), ...names.map((name, i) => region(name, 4, 4, 100 + 10 * i, 0.6 + 0.05 * i))];
  return file('hostile', 4, 4, regions, {
    command: ['./hostile', '</script><script>hacked=1</script>', '${hacked=1}'],
    hosts: [{ name: '<b>host', processes: 4 }],
    notes: ['<iframe src="https://example.org"></iframe>'],
  });
}

export function many(count, ranks = 16, threads = 4) {
  const regions = [region('Global', ranks, threads, 4000 / ranks ** 0.9, 0.85 - 0.02 * Math.log2(ranks))];
  for (let i = 1; i < count; i++) {
    regions.push(region(`kernel ${i}`, ranks, threads, (20 + (i * 7919) % 97) / ranks ** 0.9, 0.35 + ((i * 104729) % 600) / 1000));
  }
  return file('many', ranks, threads, regions);
}

// With a window for each of these parts of useful time, and as many calls.
export function inWindows(parts, calls) {
  const run = many(3);
  const list = parts.map((part, index) => ({ index, ...region(`window ${index + 1}`, 16, 4, 100, part), clock_bounds: [] }));
  run.windows = { region: null, visits: 0, length_ns: 100 * MS, level: 0, list };
  run.mpi_calls = Array.from({ length: calls }, (_, i) => ({
    region: 'Global',
    function: 'MPI_Send',
    location: `halo.c:${i} (swap)`,
    module: '/home/user/many',
    offset: 16 * (i + 1),
    calls: 100,
    time_ns: (calls - i) * MS,
    late_ranks: [],
    message_sizes: [],
  }));
  return run;
}

// One of several runs with this solver.
export function version(solver, i) {
  const part = (solver === 'cg' ? 0.7 : 0.8) + 0.001 * i;
  return file('versions', 8, 4, [region('Global', 8, 4, 700 / part, part), region('solve', 8, 4, 500 / part, part)], {
    command: ['./versions', '--solver', solver],
  });
}

export function large(ranks, count) {
  const perHost = 100;
  const hosts = [];
  for (let i = 0; i * perHost < ranks; i++) {
    hosts.push({ name: `node${String(i).padStart(4, '0')}`, processes: Math.min(perHost, ranks - i * perHost) });
  }
  const all = Array.from({ length: ranks }, (_, i) => i);
  const processes = { rank: all, host: all.map((i) => Math.floor(i / perHost)), threads: all.map(() => 4) };
  const regions = Array.from({ length: count }, (_, r) => {
    const made = region(r === 0 ? 'Global' : `phase ${r}`, ranks, 4, r === 0 ? 1000 : 90, 0.8);
    const run = made.accumulators.all_ns * 4;
    const useful = all.map((i) => Math.round(run * (0.8 + 0.05 * Math.sin(i / 300) + 0.00001 * ((i * 7919) % 1000) - (i === 4242 ? 0.6 : 0))));
    const mpi = all.map((i) => Math.round((run - useful[i]) * 0.6));
    made.rows = {
      rank: all,
      visits: all.map(() => 1),
      elapsed_ns: all.map(() => run / 4),
      useful_ns: useful,
      mpi_ns: mpi,
      omp_ns: all.map((i) => run - useful[i] - mpi[i]),
      accelerator_ns: all.map(() => 0),
    };
    return made;
  });
  return file('large', ranks, 4, regions, { hosts, processes });
}

// A run with all that can be measured: counters, file I/O, energy, memory,
// places, parallel regions.  `text` is a run file of 4 ranks x 4 threads on two
// hosts with rows of processes.
export function measured(text) {
  const run = JSON.parse(text);
  const cores = Array.from({ length: 8 }, (_, i) => i).join(' ');
  run.run.topologies = [{ id: 'n8', cpu_model: 'Imaginary 8', cpus: '0-7', cores, sockets: '0-3 4-7', numa_nodes: '0-3 4-7', memory: [0, 1].map((node) => ({ node, kind: '', bytes: 0, cpus: node === 0 ? '0-3' : '4-7' })) }];
  run.run.hosts.forEach((host, i) => {
    Object.assign(host, { threads: 8, cpus: '0-7', topology: 'n8', peak_memory_sum_bytes: (7 + i) * 1e9, energy_uj: (300 + 12000 * i) * 1e6 });
  });
  Object.assign(run.processes, {
    // The ranks of the second host are bound to the same cores.
    cpus: ['0-3', '4-7', '0-3', '0-3'],
    ran_on: ['0-3', '4-7', '0-3', '0-3'],
    memory_bytes: [2e9, 3e9, 1e9, 4e9],
    peak_memory_bytes: [3e9, 4e9, 3.2e9, 4.8e9],
  });
  run.run.posix_io = true;
  run.run.file_systems = [
    { mount_point: '/scratch', type: 'lustre', calls: 4000, time_ns: 9e8, read_bytes: 2e9, written_bytes: 5e9 },
    { mount_point: '/home', type: 'nfs', calls: 90, time_ns: 1e8, read_bytes: 3e6, written_bytes: 0 },
  ];
  run.regions.forEach(({ accumulators: of }, i) => {
    const useful = of.useful_sum_ns;
    const instructions = Math.round(useful * (2 + 0.5 * i));
    of.counters = { PAPI_TOT_INS: instructions, PAPI_TOT_CYC: Math.round(useful * (1.2 + 0.1 * i)), useful_ns: useful };
    for (const precision of ['single', 'double']) {
      ['scalar', 'packed_128', 'packed_256', 'packed_512'].forEach((width, w) => {
        of.counters[`fp_${width}_${precision}`] = Math.round((instructions * (1 + w + i)) / 200);
      });
    }
    Object.assign(of, { mpi_io_sum_ns: Math.round(of.mpi_sum_ns / 10), mpi_io_read_sum_bytes: 4e6, mpi_io_written_sum_bytes: 8e8, mpi_io_calls_sum: 40 });
    Object.assign(of, { posix_io_sum_ns: Math.round(useful / 16), posix_io_read_sum_bytes: 2e8, posix_io_written_sum_bytes: 5e8, posix_io_calls_sum: 400 });
  });
  const job = run.regions[0].accumulators;
  const parallel = [0.5, 0.3, 0.1].map((share, i) => {
    const weighted = Math.round(job.openmp_weighted_ns * share);
    return {
      location: `solver.c:${100 + 7 * i} (kernel_${i})`,
      module: '/home/user/solver',
      offset: 4096 * (i + 1),
      visits: 100 * (i + 1),
      useful_ns: Math.round(weighted * 0.7),
      mpi_ns: Math.round(weighted * 0.04 * i),
      time_ns: Math.round(weighted / 4),
      weighted_ns: weighted,
      scheduling_ns: Math.round(weighted * 0.05),
      serialised_ns: Math.round(weighted * 0.06),
      not_started_ns: Math.round(weighted * 0.01),
      mpi_inside_ns: 0,
      all_idle_ns: Math.round(weighted * 0.03),
      contribution: 0,
      load_balance: 0.9,
      scheduling_efficiency: 0.9,
    };
  });
  run.parallel_regions = parallel;
  const sum = (key) => Math.round(1.1 * parallel.reduce((all, each) => all + each[key], 0));
  Object.assign(job, {
    mpi_inside_sum_ns: sum('mpi_ns'),
    openmp_serialised_sum_ns: sum('serialised_ns'),
    openmp_scheduling_sum_ns: sum('all_idle_ns'),
    openmp_not_started_sum_ns: sum('not_started_ns'),
  });
  return run;
}
