import { highlightParts, withShortLead } from './highlight-parts.ts'

export const Highlighted = ({ highlight }: { highlight: string }) => (
  <>
    {withShortLead(highlightParts(highlight)).map(({ text, isHit }, at) =>
      isHit ? <mark key={at}>{text}</mark> : text,
    )}
  </>
)
