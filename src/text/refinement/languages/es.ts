import { numberWords } from '../../numbers/number-words.ts'
import { type LanguageData, list } from './language.ts'

export const spanish: LanguageData = {
  code: 'es',
  spaced: true,
  // "este" is a word; it is a hesitation only between commas.
  hesitation: /^(?:e+h+m*|e{2,}m*|e+m+|u+h+m*|m{2,}h*|h+m+|u+m+)$/u,
  discourse: {
    initial: list(`
      pues | este | o sea | sabes | es que este | digamos | verás | bueno pues | pues nada
    `),
    between: list(`
      este | pues | digamos | sabes | en plan | cómo decirlo | por así decirlo | cómo se dice | tipo |
      viste | me entiendes | ya sabes | digamos que
    `),
    final: list(`
      sabes | por así decirlo | me entiendes | ya sabes | o algo así | vaya
    `),
  },
  openers: list(`
    sí | no | hola | bueno | gracias | vale | buenos días | buenas tardes | buenas noches | claro |
    oye | perdón | querido | querida | primero | segundo | luego | además | entonces | ok | okay | ah |
    oh | bien | perfecto | por ejemplo | por favor | estimado | estimada | después | muchas gracias |
    por cierto | por supuesto | desgraciadamente | lamentablemente | en realidad
  `),
  commaBefore: list(`
    pero | sino | aunque | porque | así que | por favor | pues | y luego | y después | y entonces |
    ya que
  `),
  conjunctions: list(`
    y | pero | o | porque | entonces | bueno | sí | no | así que
  `),
  subjects: list(`
    yo | tú | él | ella | usted | nosotros | ellos | ellas | ustedes | creo | pienso | tengo | quiero |
    es | era | estoy | voy
  `),
  verbs: list(`
    es | son | era | eran | está | están | estaba | fue | será | sería | ha | han | había | tiene | va |
    puede | debe | viene | parece | queda | conviene | sirve | funciona | gusta
  `),
  stutters: list(`
    yo | tú | él | ella | el | la | los | las | un | una | unos | unas | de | del | en | que | y | o |
    con | por | para | pero | es | me | lo | al | mi | su | si | como | cuando | donde | porque |
    desde | hasta | sobre | entre | este | esta | esto | ese | esa | nuestro | nuestra | qué | quién |
    cómo | cuándo | dónde | está | son | ha | he | tengo | tenemos | quiero | a | te | le | les | nos |
    mis | sus | tu | tus | hay | fue | era | sin | cada | tenemos que | tengo que | hay que | creo que |
    o sea | puede | podemos | vamos a | voy a | se | según | también | aunque | ni | nosotros | usted |
    ustedes | ellos | en el | en la | de la | de los | no lo | no me | no sé | a la | por el | por la |
    para el | para la | con el | con la | lo que | es que | creo | yo creo | podría | puedes | quería |
    estaba | estamos | van a | hay un | es un | es una | pero no | no tengo | antes de | después de |
    ya no
  `),
  isNumber: numberWords('es', { more: list('uno | mediodía | medianoche | medio') }),
  corrections: {
    retractions: list(`
      borra eso | borre eso | tacha eso | no borra eso | no olvida eso | olvida lo anterior |
      borra lo anterior | tache eso
    `),
    strong: list(`
      perdón digo | no perdón | perdón no | no espera | espera no | no espere | quiero decir |
      no quiero decir | quise decir | no digo | mejor dicho | no mejor | o mejor dicho | no no espera |
      quería decir | perdón quiero decir | perdón quise decir | no miento | miento | digo |
      no disculpa | disculpa no | no me equivoqué | me equivoqué | corrijo | corrección |
      no quise decir | ay no | ah no | ay perdón | no mejor dicho | perdona digo |
      lo siento quise decir | perdona no | no perdona
    `),
    weak: list(`
      perdón | no | o sea | disculpa | perdona | disculpe | o mejor | lo siento | espera | bueno no |
      bueno | más bien | o más bien
    `),
    kinds: [
      list(`
        lunes | martes | miércoles | jueves | viernes | sábado | domingo | hoy | mañana | ayer |
        pasado mañana | anteayer
      `),
      list(`
        enero | febrero | marzo | abril | mayo | junio | julio | agosto | septiembre | setiembre |
        octubre | noviembre | diciembre
      `),
      ['izquierda', 'derecha'],
      ['tarde', 'noche'],
      list(`
        rojo | roja | verde | azul | amarillo | amarilla | negro | negra | blanco | blanca | gris |
        naranja | rosa | marrón | morado
      `),
      ['euros', 'dólares', 'pesos', 'céntimos'],
      list(`
        días | semanas | meses | años | horas | minutos | segundos
      `),
    ],
    articles: ['el', 'la', 'los', 'las', 'un', 'una', 'al', 'del'],
  },
  determiners: list(`
    el | la | los | las | un | una | este | esta | ese | esa | aquel | mi | tu | su | nuestro | cada |
    ningún | ninguna | algún | primer | primera | segundo | segunda | tercer | último | última |
    próximo | otro | otra | al | del | palabra | sin | con | qué | mismo | misma | estos | esos | de |
    nuestra | cuyo | cualquier | dicho | dicha
  `),
  spokenMarks: [
    {
      say: ['coma'],
      decimal: true,
      write: ',',
      alone: true,
      notAfter: list(`
        que | en | no | usted | él | ella | se | está | entró | entrar | para que | quien | nadie | lo |
        ya | alguien | cuando | te | me | dice que
      `),
      notBefore: list(`
        algo | bien | más | menos | mucho | poco | profundo | etílico | inducido | decimal | sano | es |
        después | antes | entre | con | carne
      `),
    },
    {
      say: ['punto', 'punto y seguido', 'punto final'],
      noun: true,
      decimal: true,
      write: '.',
      adjectives: ['buen', 'gran', 'importante', 'mejor', 'único', 'buena'],
      notAfter: list(`
        a | en | hasta | tal | cierto | dos | tres | cuatro | medio | desde | hasta cierto | siguiente |
        ni | y
      `),
      notBefore: list(`
        de | del | en | es | y coma | y aparte | y seguido | com | fuerte | débil | clave | importante |
        uno | dos | tres | cuatro | cinco | número | medio | muerto | ciego | crítico | por | central |
        principal | g | más | que | org | net | es muy | fijo | final | era | donde | a favor | exacto |
        cero | a punto | verde | limpio
      `),
    },
    { say: ['punto y aparte', 'punto aparte'], write: '.\n\n', alone: true },
    {
      say: list(`
        signo de interrogación | cierra interrogación | cerrar interrogación |
        cierra signo de interrogación | cerrar signo de interrogación | fin de interrogación
      `),
      write: '?',
      alone: true,
      notBefore: ['es', 'al', 'después', 'en'],
    },
    {
      say: list(`
        signo de exclamación | signo de admiración | cierra exclamación | cerrar exclamación |
        cierra admiración | cerrar admiración | cierra signo de exclamación
      `),
      write: '!',
      alone: true,
      notBefore: ['es', 'al', 'después', 'en'],
    },
    {
      say: list(`
        abre interrogación | abrir interrogación | abre signo de interrogación |
        abrir signo de interrogación
      `),
      write: '¿',
      closedBy: {
        say: list(`
          cierra interrogación | cerrar interrogación | cierra signo de interrogación |
          cerrar signo de interrogación
        `),
        write: '?',
      },
    },
    {
      say: list(`
        abre exclamación | abrir exclamación | abre admiración | abrir admiración |
        abre signo de exclamación
      `),
      write: '¡',
      closedBy: {
        say: list(`
          cierra exclamación | cerrar exclamación | cierra admiración | cerrar admiración |
          cierra signo de exclamación
        `),
        write: '!',
      },
    },
    {
      say: ['dos puntos'],
      write: ':',
      notAfter: list(`
        los | estos | esos | hay | tiene | tengo | tenemos | tienen | son | por | ganó | perdió |
        ganamos | perdimos | entre | y | o | a | sacó | sumó | subió | bajó | otros | solo | quedan |
        sobre
      `),
      notBefore: list(`
        de | importantes | clave | en | a | son | que | principales | más | menos | porcentuales |
        fundamentales | fuertes | débiles | por | esenciales | y
      `),
    },
    { say: ['punto y coma'], write: ';', alone: true, notBefore: ['es'] },
    { say: ['puntos suspensivos'], write: '...', alone: true, notBefore: ['son'] },
    {
      say: ['guion largo', 'raya'],
      write: ' –',
      notAfter: ['a', 'pasarse de la', 'en', 'se', 'que'],
      notBefore: ['de', 'en', 'roja', 'negra', 'blanca', 'la', 'con', 'al'],
    },
    {
      say: list(`
        nueva línea | línea nueva | salto de línea | siguiente línea | nuevo renglón | otra línea
      `),
      write: '\n',
      notAfter: ['toda', 'gran', 'lanzar', 'lanzamos', 'insertar', 'en'],
      notBefore: ['de', 'del', 'es', 'aérea', 'telefónica', 'en', 'para', 'que'],
    },
    {
      say: list(`
        nuevo párrafo | párrafo nuevo | siguiente párrafo | párrafo aparte
      `),
      write: '\n\n',
      notAfter: ['en', 'insertar'],
      notBefore: ['de', 'es', 'sobre', 'en', 'para', 'que', 'explica'],
    },
    {
      say: list(`
        abre paréntesis | abrir paréntesis | abrimos paréntesis | abra paréntesis
      `),
      write: '(',
      closedBy: {
        say: list(`
          cierra paréntesis | cerrar paréntesis | cerramos paréntesis | cierre paréntesis
        `),
        write: ')',
      },
    },
    {
      say: list(`
        abre comillas | abrir comillas | abrimos comillas | abra comillas
      `),
      write: '"',
      closedBy: {
        say: list(`
          cierra comillas | cerrar comillas | cerramos comillas | cierre comillas
        `),
        write: '"',
      },
    },
  ],
  symbols: {
    dot: ['punto'],
    at: ['arroba'],
    underscore: ['guion bajo', 'guión bajo'],
    slash: ['barra', 'barra inclinada', 'slash', 'diagonal'],
    colon: ['dos puntos'],
    dash: ['guion', 'guión'],
  },
  abbreviations: list(`
    sr | sra | srta | dr | dra | ud | uds | etc | av | avda | núm | pág | tel | aprox | prof | lic | ing |
    dña | art | vol | máx | mín | ej | cía
  `),
  salutations: list(`
    hola | querido | querida | queridos | estimado | estimada | estimados | buenos días | buenas tardes |
    saludos | un saludo | un abrazo | atentamente
  `),
}
