/** In place of Next's own last error page, because `app/global-error.tsx` is the console's: see `next.config.js`. */
export default function PlainError() {
  return (
    <html lang="en">
      <body>This page crashed. Reload it to continue.</body>
    </html>
  );
}
