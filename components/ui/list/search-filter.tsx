import { searchLimits } from "#contract/search-words.ts";
import { TextFilter } from "./text-filter.tsx";

interface SearchFilterProps {
  /** What is searched, e.g. `names`. */
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
