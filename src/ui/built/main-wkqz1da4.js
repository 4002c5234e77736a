import{e}from"./main-0drhnse1.js";var Qe=({label:o,value:r,onWords:a})=>e("search",{children:e("input",{type:"search",autocomplete:"off",placeholder:o,"aria-label":o,value:r,onInput:({currentTarget:s})=>a(s.value)})});
export{Qe};
