declare module "autocannon" {
  interface Options {
    url: string;
    connections: number;
    /** In seconds. */
    duration?: number;
    /** Number of requests, instead of a duration. */
    amount?: number;
    method: "POST";
    headers: Record<string, string>;
    body: string;
  }
  interface Result {
    /** Actual duration in seconds. */
    duration: number;
    requests: { total: number };
    latency: { p50: number; p99: number };
    errors: number;
    non2xx: number;
    "2xx": number;
  }
  export default function autocannon(options: Options): Promise<Result>;
}
