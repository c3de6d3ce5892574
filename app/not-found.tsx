import { MissingPage, unknownAddress } from "@/components/shell/missing";

export default function NotFound() {
  return (
    <main className="mx-auto max-w-[720px] px-4 py-12">
      <MissingPage {...unknownAddress} />
    </main>
  );
}
