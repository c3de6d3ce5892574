import { LazyMissing } from "@/components/shell/shell";
import { WithWords } from "../with-words.tsx";

export default function NotFound() {
  return (
    <WithWords parts={["missing"]}>
      <LazyMissing />
    </WithWords>
  );
}
