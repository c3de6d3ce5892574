import type { FormData } from "undici";
import { ProviderError } from "#gateway/platform/core/provider-error.ts";
import type { HttpCall } from "../http/http-client.ts";
import type { Transport } from "../upstreams/upstream.ts";

/** Stands where calls leave the gateway: keeps the first one and sends nothing. */
export class Recorder implements Transport {
  call: HttpCall | null = null;

  send(call: HttpCall): Promise<never> {
    this.call ??= call;
    return Promise.reject(
      new ProviderError("service_unavailable", "A preview sends nothing.", { started: "no" }),
    );
  }

  sendWhole(call: HttpCall): Promise<never> {
    return this.send(call);
  }

  async close(): Promise<void> {}
  async finish(): Promise<void> {}
}

export interface FormPart {
  name: string;
  value: string | null;
  file: { name: string; content_type: string } | null;
}

/** The parts of a form, files by their name and type. */
export function partsOfForm(form: FormData): FormPart[] {
  return [...form.entries()].map(([name, value]) =>
    typeof value === "string"
      ? { name, value, file: null }
      : { name, value: null, file: { name: value.name, content_type: value.type } },
  );
}
