import{o,s}from"./main-b0txc82d.js";var c=200;function Z(t){let[e,r]=o(t);return s(()=>{let n=setTimeout(()=>r(t),c);return()=>clearTimeout(n)},[t]),e}
export{Z};
