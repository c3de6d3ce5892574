"use client";

import { useState } from "react";
import { searchLimits } from "#contract/search-words.ts";
import { useWords } from "#words";
import { Input } from "../form/input.tsx";
import { classNames } from "../looks.ts";
import { FilterBar } from "./filter-bar.tsx";
import type { FilteredList } from "./list-filters.tsx";

interface TextFilterProps {
  label: string;
  placeholder: string;
  title?: string;
  value: string;
  onChange: (value: string) => void;
  /** Why a text cannot be a filter. Null: it can. */
  problemOf?: (text: string) => string | null;
  className?: string;
  maxLength?: number;
}

/** A text filter. Enter, or leaving the field, applies it. Pass its value as `key`. */
export function TextFilter({
  label,
  placeholder,
  title,
  value,
  onChange,
  problemOf,
  className,
  maxLength = 600,
}: TextFilterProps) {
  const [text, setText] = useState(value);
  const [problem, setProblem] = useState<string | null>(null);
  const apply = () => {
    const wanted = text.trim();
    const wrong = wanted === "" ? null : (problemOf?.(wanted) ?? null);
    setProblem(wrong);
    if (wrong === null && wanted !== value) onChange(wanted);
  };
  return (
    <form
      className={classNames("max-w-full shrink-0 max-tablet:w-full only:[&_input]:min-w-52", className)}
      onSubmit={(event) => {
        event.preventDefault();
        apply();
      }}
    >
      <Input
        type="search"
        aria-label={label}
        aria-invalid={problem ? true : undefined}
        placeholder={placeholder}
        title={title}
        className="field-sizing-content min-w-28 font-mono placeholder:font-sans"
        maxLength={maxLength}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onBlur={apply}
      />
      {problem && (
        <p role="alert" className="text-meta font-medium text-bad">
          {problem}
        </p>
      )}
    </form>
  );
}

/** Filters by a pair of the caller's metadata, such as `customer=acme`. */
export function MetadataFilter({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const t = useWords("ui");
  return (
    <TextFilter
      key={value}
      label={t("metadata")}
      placeholder={t("metadata")}
      title={t("metadataHint")}
      value={value}
      onChange={onChange}
      problemOf={(text) => (/^[^=]+=/.test(text) ? null : t("writePair"))}
    />
  );
}

interface SearchFilterProps {
  /** The searched texts, e.g. `names`. */
  of: string;
  value: string;
  onChange: (search: string) => void;
}

/** Finds rows of a list by words in any order, as the palette does. */
export function SearchFilter({ of, value, onChange }: SearchFilterProps) {
  const t = useWords("ui");
  return (
    <TextFilter
      key={value}
      label={t("wordsIn", { of })}
      placeholder={t("searchOf", { of })}
      className="font-sans"
      maxLength={searchLimits.length}
      value={value}
      onChange={onChange}
    />
  );
}

/** For lists with no filter but a search. */
export function WordsFilter({ list, of }: { list: FilteredList<"search">; of: string }) {
  return (
    <FilterBar active={list.active} onClear={list.clear}>
      <SearchFilter of={of} value={list.view.search} onChange={(search) => list.change({ search })} />
    </FilterBar>
  );
}

export function NoneWithWords({ what, by = "words" }: { what: string; by?: "words" | "filters" }) {
  const t = useWords("ui");
  return (
    <p className="rounded-panel border border-dashed p-6 text-center text-muted">
      {t("noneMatch", { what, by })}
    </p>
  );
}
