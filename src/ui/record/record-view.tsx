// The first view.
// Placeholder until it records.

import { Heading } from '../parts/heading.tsx'
import { strings } from '../strings/strings.ts'

export const RecordView = () => <Heading text={strings.value.views.record} />
