// Words that a model may drop or add, and words that it must keep.
// Covers the languages that most users dictate in; in other languages every word counts.

const list = (words: string): ReadonlySet<string> => new Set(words.trim().split(/\s+/))

/** Keys (see tokens.ts) of fillers, conjunctions and function words. */
export const EXPENDABLE = list(`
  um uh uhm erm hmm mhm well so like okay ok yeah right basically actually literally you know i mean just really
  and but then the a an that to of is are was be am
  ahm eh hm also na ja naja tja halt eben mal quasi sozusagen irgendwie und aber dann der die das den dem ein eine
  einen einem einer dass zu ist sind
  euh heu ben bah bon alors donc voila quoi genre enfin et mais puis le la les l un une des de du d que c est
  pues bueno este o sea osea entonces vale y pero el los las una del al es
  ehm allora cioe dunque insomma beh mah ecco praticamente ed ma poi il lo i gli uno che e
  ne bem entao tipo assim mas depois os as um uma do da dos das que
  nou dus zeg maar eigenlijk gewoon en dan de het een dat te
  ну вот значит типа как бы это самое и а но
`)

/** More words that can start a sentence without being a name. */
export const OPENERS = list(`
  i we you he she it they this these those there here what when where who why how which my our your his her their its
  if as at in on for with from by not no yes please can could would should will do does did have has had let as
  ich wir du er sie es ihr sie dies diese dieser dieses hier da dort was wann wo wer warum wie welche mein unser dein
  wenn als im am an auf fur mit von bei nicht nein bitte kann konnte wurde soll wird hat haben
  je nous vous tu il elle on ils elles ce cette ces ici quand ou qui pourquoi comment quel quelle mon notre votre si
  dans sur pour avec par non oui
  yo nosotros tu usted el ella ellos esto esta estos aqui donde quien por como cual mi nuestro su si en con no
  io noi lui lei loro questo questa qui quando dove chi perche come quale mio nostro se in su per con di non
  eu nos voce ele ela eles isto esta aqui onde quem porque meu nosso seu se em para com nao sim
  ik wij we jij je hij zij ze dit deze hier wat wanneer waar wie waarom hoe mijn onze als op voor met van niet nee
`)

/** Negations; their number must not change. */
export const NEGATIONS = list(`
  not no never none nothing nobody neither without
  nicht nein nie niemals nichts niemand kein keine keinen keinem keiner keines ohne
  pas jamais rien personne aucun aucune sans
  nunca nada nadie ningun ninguna ninguno sin
  non mai niente nessuno nessuna senza
  nao nenhum nenhuma ninguem sem
  niet geen nooit niets niemand zonder
  не нет никогда ничего никто без ні немає nie nigdy nic nikt bez není inte aldrig ingen inget ej ikke aldri
  ei mitään değil degil yok δεν οχι μη لا لم لن ليس ليست بدون לא אין בלי नहीं मत 안 못
`)

/** Negations in scripts without spaces, and those that are word endings. */
export const NEGATIONS_INSIDE = /不|没|沒|未|無|无|非|别|ません|ない|なかっ|なく|ไม่|않|없|아니/gu

/** Fillers of Chinese, Japanese and Thai, which have no spaces between words. */
export const FILLERS_WITHOUT_SPACES =
  /[嗯呃]+[,、，。]?|那个[,，、]|就是说[,，、]?|え[ーえ]?っ?と[ーぉ]?[、。]?|あの[ーう]+[、。]?|うーんと?[、。]?|えー+[、。]?|เอ่อ+|อืม+/gu
