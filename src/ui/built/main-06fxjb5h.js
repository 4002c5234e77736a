import{Se,e,X}from"./main-d573j17v.js";import{dt}from"./main-fsvjeh44.js";import{p}from"./main-mwexpjxk.js";var j=({href:o,onClick:r,...t})=>e("a",{...t,href:o,download:!0,onClick:(n)=>{if(r?.(),!Se())return;n.preventDefault(),p(async()=>dt(await X(o)))}});
export{j};
