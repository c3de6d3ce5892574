import type { Metadata } from "next";
import { Missing } from "@/components/shell/missing";

export const metadata: Metadata = { title: "Not found" };

export default function NotFound() {
  return (
    <main className="mx-auto max-w-[720px] px-4 py-12">
      <Missing />
    </main>
  );
}
