import { notFound } from "next/navigation";

/** An unknown address of a signed-in visitor keeps the rail around its "not found". */
export default function UnknownPage() {
  notFound();
}
