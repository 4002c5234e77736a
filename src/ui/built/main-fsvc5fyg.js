import{o,s}from"./main-benmcn4b.js";var c=200;function G(t){let[e,r]=o(t);return s(()=>{let n=setTimeout(()=>r(t),c);return()=>clearTimeout(n)},[t]),e}
export{G};
