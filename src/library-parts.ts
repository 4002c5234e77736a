// The parts of the library, in the order of library.json.

import { SAVED_COMMANDS } from './commands/saved-commands.ts'
import type { AnyLibraryPart } from './library/part.ts'
import { DICTIONARY } from './writing/dictionary-part.ts'
import { WRITING_STYLES } from './writing/styles.ts'

export const LIBRARY_PARTS: readonly AnyLibraryPart[] = [DICTIONARY, WRITING_STYLES, SAVED_COMMANDS]
