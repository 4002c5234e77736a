import{e}from"./main-e4gm72me.js";var Qe=({label:o,value:r,onWords:a})=>e("search",{children:e("input",{type:"search",autocomplete:"off",placeholder:o,"aria-label":o,value:r,onInput:({currentTarget:s})=>a(s.value)})});
export{Qe};
