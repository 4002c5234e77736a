import{o,s}from"./main-t34wbt9y.js";var c=200;function Z(t){let[e,r]=o(t);return s(()=>{let n=setTimeout(()=>r(t),c);return()=>clearTimeout(n)},[t]),e}
export{Z};
