type Query = [expr: string, legend: string];

interface Panel {
  title: string;
  unit: string;
  /** The description of the panel. */
  about: string;
  queries: Query[];
}

const bucket = (q: number) =>
  `histogram_quantile(${q}, sum by (le) (rate(gatehouse_request_seconds_bucket[$__rate_interval])))`;
const perSecond = (metric: string, by: string) => `sum by (${by}) (rate(${metric}[$__rate_interval]))`;

const rows: { title: string; panels: Panel[] }[] = [
  {
    title: "Requests",
    panels: [
      {
        title: "Requests",
        unit: "reqps",
        about: "Requests per second by status.",
        queries: [[perSecond("gatehouse_request_seconds_count", "status"), "{{status}}"]],
      },
      {
        title: "Time to answer",
        unit: "s",
        about: "All routes together. A stream counts until its end.",
        queries: [
          [bucket(0.5), "p50"],
          [bucket(0.95), "p95"],
          [bucket(0.99), "p99"],
        ],
      },
      {
        title: "Busiest routes",
        unit: "reqps",
        about: "The ten routes with the most requests.",
        queries: [
          [
            `topk(10, ${perSecond("gatehouse_request_seconds_count", "method, route")})`,
            "{{method}} {{route}}",
          ],
        ],
      },
    ],
  },
  {
    title: "Upstreams and predictions",
    panels: [
      {
        title: "Tries at upstreams",
        unit: "reqps",
        about: "By provider and result. A failed try counts even if another provider then answered.",
        queries: [
          [perSecond("gatehouse_upstream_tries_total", "provider, result"), "{{provider}} {{result}}"],
        ],
      },
      {
        title: "Predictions ended",
        unit: "reqps",
        about: "By status and error code.",
        queries: [[perSecond("gatehouse_predictions_ended_total", "status, code"), "{{status}} {{code}}"]],
      },
      {
        title: "Waiting",
        unit: "short",
        about:
          "Predictions and background responses that have not ended, deliveries and copies that are due, rows of batches that have not started, messages that could not be sent.",
        queries: [["max by (kind) (gatehouse_waiting)", "{{kind}}"]],
      },
    ],
  },
  {
    title: "Webhooks and removal",
    panels: [
      {
        title: "Attempts at receivers",
        unit: "reqps",
        about: "Delivered and failed.",
        queries: [[perSecond("gatehouse_delivery_attempts_total", "result"), "{{result}}"]],
      },
      {
        title: "Removal is late by",
        unit: "s",
        about: "The time since when the oldest expired data should have been removed.",
        queries: [["max by (kind) (gatehouse_retention_lag_seconds)", "{{kind}}"]],
      },
      {
        title: "Full",
        unit: "short",
        about: "1 while the object store, or the database's disk, is full.",
        queries: [["max by (kind) (gatehouse_full)", "{{kind}}"]],
      },
    ],
  },
  {
    title: "Processes",
    panels: [
      {
        title: "Processor",
        unit: "percentunit",
        about: "Share of one core.",
        queries: [["rate(process_cpu_seconds_total[$__rate_interval])", "{{instance}}"]],
      },
      {
        title: "Memory",
        unit: "bytes",
        about: "Resident memory of all processes on the port.",
        queries: [["process_resident_memory_bytes", "{{instance}}"]],
      },
      {
        title: "Event loop is late by",
        unit: "s",
        about: "99th percentile of the slowest process on the port.",
        queries: [["nodejs_eventloop_lag_p99_seconds", "{{instance}}"]],
      },
    ],
  },
];

const width = 8;
const height = 8;

/** Grafana's dashboard, ready to import. */
export function dashboardFile(): string {
  let y = 0;
  let id = 0;
  const panels = rows.flatMap((row) => {
    const head = {
      id: ++id,
      type: "row",
      title: row.title,
      collapsed: false,
      panels: [],
      gridPos: { x: 0, y, w: 24, h: 1 },
    };
    const drawn = row.panels.map((panel, at) =>
      drawnPanel(panel, ++id, { x: at * width, y: y + 1, w: width, h: height }),
    );
    y += height + 1;
    return [head, ...drawn];
  });
  const source = {
    name: "source",
    label: "Prometheus",
    type: "datasource",
    query: "prometheus",
  };
  const dashboard = {
    title: "Gatehouse",
    uid: "gatehouse",
    tags: ["gatehouse"],
    schemaVersion: 39,
    refresh: "30s",
    time: { from: "now-6h", to: "now" },
    templating: { list: [source] },
    panels,
  };
  return `${JSON.stringify(dashboard, null, 2)}\n`;
}

function drawnPanel({ title, unit, about, queries }: Panel, id: number, gridPos: object): object {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: Grafana's own variable
  const datasource = { type: "prometheus", uid: "${source}" };
  return {
    id,
    type: "timeseries",
    title,
    description: about,
    datasource,
    gridPos,
    fieldConfig: { defaults: { unit, min: 0 }, overrides: [] },
    options: {
      legend: { displayMode: "list", placement: "bottom" },
      tooltip: { mode: "multi", sort: "desc" },
    },
    targets: queries.map(([expr, legendFormat], at) => ({
      refId: String.fromCharCode(65 + at),
      datasource,
      expr,
      legendFormat,
    })),
  };
}
