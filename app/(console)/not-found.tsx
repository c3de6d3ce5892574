import { Missing } from "@/components/shell/missing";

export default function ConsoleNotFound() {
  return <Missing />;
}
