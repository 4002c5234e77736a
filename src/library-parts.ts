// The parts of the library, in the order of library.json.

import { SAVED_COMMANDS } from './commands/saved-commands.ts'
import type { AnyLibraryPart } from './library/copy.ts'
import { DICTIONARY } from './writing/dictionary-import.ts'
import { WRITING_STYLES } from './writing/styles.ts'

export const LIBRARY_PARTS: readonly AnyLibraryPart[] = [DICTIONARY, WRITING_STYLES, SAVED_COMMANDS]
