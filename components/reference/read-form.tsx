"use client";

import { type FormEvent, useEffect, useRef, useState } from "react";
import { useWords } from "#words";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/form/field";
import { Input, Select } from "@/components/ui/form/input";
import { JsonView } from "@/components/ui/json-view";
import { ErrorPanel } from "@/components/ui/page/error-panel";
import { sendToGateway } from "@/lib/browser/gateway";
import { formatBytes, formatDuration } from "@/lib/format";
import type { GatewayFailure } from "@/lib/gateway/result";
import { type ReadParameter, type ReadRoute, readRequestOf } from "@/lib/reference/read-route";

interface Answer {
  status: number;
  durationMs: number;
  requestId: string | null;
  text: string;
}

/** Sends a GET request as the signed-in visitor and shows the response unchanged. */
export function ReadForm({ route }: { route: ReadRoute }) {
  const t = useWords("reference");
  const [values, setValues] = useState<Record<string, string>>({});
  const [missing, setMissing] = useState<readonly string[]>([]);
  const [busy, setBusy] = useState(false);
  const [answer, setAnswer] = useState<Answer | null>(null);
  const [failure, setFailure] = useState<GatewayFailure | null>(null);
  const form = useRef<HTMLFormElement>(null);
  const running = useRef<AbortController | null>(null);
  useEffect(() => {
    // The focus moves here, because the "Try it" button with the focus has disappeared.
    form.current?.querySelector<HTMLElement>("input, select, button")?.focus();
    return () => running.current?.abort();
  }, []);

  const send = async (event: FormEvent) => {
    event.preventDefault();
    const empty = route.parameters.filter(({ name, required }) => required && !values[name]?.trim());
    setMissing(empty.map(({ name }) => name));
    if (empty[0]) return form.current?.querySelector<HTMLElement>(`[name="${empty[0].name}"]`)?.focus();
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    setBusy(true);
    setFailure(null);
    try {
      const { path, query } = readRequestOf(route, values);
      const startedAt = performance.now();
      const sent = await sendToGateway(path, { query, signal: controller.signal });
      if (!sent.ok) return setFailure(sent.error);
      const text = await sent.data.text();
      setAnswer({
        status: sent.data.status,
        durationMs: performance.now() - startedAt,
        requestId: sent.data.headers.get("x-request-id"),
        text,
      });
    } catch (error) {
      if (!controller.signal.aborted) throw error;
    } finally {
      if (running.current === controller) setBusy(false);
    }
  };

  return (
    <form ref={form} onSubmit={send} noValidate className="grid gap-3">
      {route.parameters.length > 0 && (
        <div className="grid gap-3 phone:grid-cols-2 desktop:grid-cols-3">
          {route.parameters.map((parameter) => (
            // The parameter’s schema decides the control.
            <Field
              key={parameter.name}
              label={<code>{parameter.name}</code>}
              required={parameter.required}
              error={missing.includes(parameter.name) && t("enterName", { name: parameter.name })}
            >
              {(aria) => (
                <ParameterControl
                  {...aria}
                  parameter={parameter}
                  value={values[parameter.name] ?? ""}
                  onChange={(value) => setValues({ ...values, [parameter.name]: value })}
                />
              )}
            </Field>
          ))}
        </div>
      )}
      <div className="flex flex-wrap items-center gap-3">
        <Button type="submit" variant="primary" busy={busy}>
          {t("sendRequest")}
        </Button>
        <p role="status" className="tabular text-table text-muted">
          {answer && !busy && (
            <>
              {t.rich(
                "statusIn",
                { status: String(answer.status), duration: formatDuration(answer.durationMs, t.language) },
                {
                  b: (text) => (
                    <span key="status" className="font-mono font-semibold text-ink">
                      {text}
                    </span>
                  ),
                  time: (text) => (
                    <span key="time" className="whitespace-nowrap">
                      {text}
                    </span>
                  ),
                },
              )}
              {answer.requestId && <code className="ml-2 wrap-anywhere">{answer.requestId}</code>}
            </>
          )}
        </p>
      </div>
      {failure && <ErrorPanel error={failure} />}
      {answer && <ReadAnswer text={answer.text} />}
    </form>
  );
}

interface ParameterControlProps {
  id: string;
  parameter: ReadParameter;
  value: string;
  onChange: (value: string) => void;
}

function ParameterControl({ parameter, value, onChange, ...aria }: ParameterControlProps) {
  const t = useWords("reference");
  const { name, options } = parameter;
  if (options.length === 0)
    return (
      <Input
        {...aria}
        name={name}
        value={value}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    );
  return (
    <Select {...aria} name={name} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
      <option value="">{t("any")}</option>
      {options.map((option) => (
        <option key={option}>{option}</option>
      ))}
    </Select>
  );
}

/** A larger tree would take seconds to render. */
const maxTreeLength = 100_000;

/** The response as a tree. Of a long response, the beginning as text. */
function ReadAnswer({ text }: { text: string }) {
  const t = useWords("reference");
  const value = text.length <= maxTreeLength ? parsed(text) : undefined;
  if (value !== undefined) return <JsonView value={value} label={t("response")} />;
  return (
    <figure aria-label={t("response")} className="min-w-0 rounded-panel border bg-sunken">
      {text.length > maxTreeLength && (
        <figcaption className="border-b px-3 py-1.5 text-meta text-muted">
          {t("theFirstMaxtreelengthOfText", {
            maxTreeLength: formatBytes(maxTreeLength),
            text: formatBytes(text.length),
          })}
        </figcaption>
      )}
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
        tabIndex={0}
        className="max-h-[70vh] overflow-auto p-3 text-table leading-5 whitespace-pre-wrap wrap-anywhere"
      >
        {text.slice(0, maxTreeLength)}
      </pre>
    </figure>
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
