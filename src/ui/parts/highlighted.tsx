// A text with the places lit that a search found, as the server marks them.
// How its marks are read is highlight-parts.ts.

import { highlightParts, withShortLead } from './highlight-parts.ts'

export const Highlighted = ({ highlight }: { highlight: string }) => (
  <>
    {withShortLead(highlightParts(highlight)).map(({ text, isHit }, at) =>
      isHit ? <mark key={at}>{text}</mark> : text,
    )}
  </>
)
