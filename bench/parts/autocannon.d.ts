declare module "autocannon" {
  interface Options {
    url: string;
    connections: number;
    /** Seconds. */
    duration?: number;
    /** Requests, instead of a duration. */
    amount?: number;
    method: "POST";
    headers: Record<string, string>;
    body: string;
  }
  interface Result {
    /** Seconds that it really took. */
    duration: number;
    requests: { total: number };
    latency: { p50: number; p99: number };
    errors: number;
    non2xx: number;
    "2xx": number;
  }
  export default function autocannon(options: Options): Promise<Result>;
}
