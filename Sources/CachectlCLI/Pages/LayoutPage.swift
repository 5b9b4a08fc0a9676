/// cachectl-layout(5), in the mdoc language.
let layoutPage = ""
