import{o,s}from"./main-8q64a7xz.js";var c=200;function Y(t){let[e,r]=o(t);return s(()=>{let n=setTimeout(()=>r(t),c);return()=>clearTimeout(n)},[t]),e}
export{Y};
