import{o,s}from"./main-r1yqsws2.js";var c=200;function Y(t){let[e,r]=o(t);return s(()=>{let n=setTimeout(()=>r(t),c);return()=>clearTimeout(n)},[t]),e}
export{Y};
