"use client";

import type { ReactNode } from "react";
import { useWords } from "#words";
import { CopyButton } from "./copy-button.tsx";

interface JsonViewProps {
  value: unknown;
  /** Names the region for screen readers. */
  label?: string;
  /** How many levels are open at first. */
  openDepth?: number;
}

/** JSON as a tree that can be collapsed. The path of every value can be copied. */
export function JsonView({ value, label = "JSON", openDepth = 3 }: JsonViewProps) {
  const t = useWords("ui");
  return (
    <figure aria-label={label} className="relative rounded-panel border bg-sunken">
      <div className="absolute top-1.5 right-1.5">
        <CopyButton value={JSON.stringify(value, null, 2) ?? "null"} label={t("copyText", { text: label })} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard. */}
      <div tabIndex={0} className="max-h-[70vh] overflow-auto p-3 pr-10 font-mono text-table leading-6">
        <Node value={value} name={null} path="$" openDepth={openDepth} />
      </div>
    </figure>
  );
}

interface NodeProps {
  value: unknown;
  name: string | null;
  path: string;
  /** Levels that are open from here on. */
  openDepth: number;
}

function Node({ value, name, path, openDepth }: NodeProps) {
  const t = useWords("ui");
  if (value === null || typeof value !== "object")
    return (
      <Line name={name} path={path}>
        <Leaf value={value} />
      </Line>
    );
  const isArray = Array.isArray(value);
  const entries = Object.entries(value);
  const [openMark, closeMark] = isArray ? ["[", "]"] : ["{", "}"];
  if (entries.length === 0)
    return (
      <Line name={name} path={path}>
        {openMark}
        {closeMark}
      </Line>
    );
  return (
    <details open={openDepth > 0} className="group/node">
      <summary className="min-h-6 rounded-[4px] leading-6 marker:text-faint hover:bg-panel">
        <Name name={name} />
        {openMark}
        <span className="text-faint group-open/node:hidden">
          {` ${t(isArray ? "jsonItems" : "jsonKeys", { count: entries.length })} ${closeMark}`}
        </span>
      </summary>
      <div className="ml-1.5 border-l pl-3">
        {entries.map(([key, child]) => (
          <Node
            key={key}
            value={child}
            name={isArray ? null : key}
            path={
              isArray ? `${path}[${key}]` : `${path}${/^[A-Za-z_]\w*$/.test(key) ? `.${key}` : `["${key}"]`}`
            }
            openDepth={openDepth - 1}
          />
        ))}
      </div>
      <span>{closeMark}</span>
    </details>
  );
}

function Line({ name, path, children }: { name: string | null; path: string; children: ReactNode }) {
  const t = useWords("ui");
  return (
    <div className="group/line flex min-h-6 items-start gap-1 rounded-[4px] pl-4 hover:bg-panel">
      <span className="min-w-0 whitespace-pre-wrap wrap-anywhere">
        <Name name={name} />
        {children}
      </span>
      <span className="-my-0.5 opacity-0 group-focus-within/line:opacity-100 group-hover/line:opacity-100 pointer-coarse:opacity-100">
        <CopyButton value={path} label={t("copyPath", { path })} />
      </span>
    </div>
  );
}

function Name({ name }: { name: string | null }) {
  return name === null ? null : <span className="text-muted">{`${JSON.stringify(name)}: `}</span>;
}

const maxShownLength = 2000;

function Leaf({ value }: { value: unknown }) {
  const t = useWords("ui");
  if (typeof value === "string") {
    const cut = value.length > maxShownLength;
    return (
      <span className="text-code-string">
        {JSON.stringify(cut ? value.slice(0, maxShownLength) : value)}
        {cut && <span className="text-faint">{` … ${t("charactersInAll", { count: value.length })}`}</span>}
      </span>
    );
  }
  if (typeof value === "number") return <span className="text-code-number">{String(value)}</span>;
  return <span className="text-code-word">{String(value)}</span>;
}
