import { searchLimits } from "#contract/search-words.ts";
import { FilterBar } from "./filter-bar.tsx";
import type { FilteredList } from "./list-filters.tsx";
import { TextFilter } from "./text-filter.tsx";

interface SearchFilterProps {
  /** The searched texts, e.g. `names`. */
  of: string;
  value: string;
  onChange: (search: string) => void;
}

/** Finds rows of a list by words in any order, as the palette does. */
export function SearchFilter({ of, value, onChange }: SearchFilterProps) {
  return (
    <TextFilter
      key={value}
      label={`Words in ${of}`}
      placeholder={`Search ${of}`}
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

export function NoneWithWords({ what }: { what: string }) {
  return (
    <p className="rounded-panel border border-dashed p-6 text-center text-muted">
      No {what} match these words.
    </p>
  );
}
