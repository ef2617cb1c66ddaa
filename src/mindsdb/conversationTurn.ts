/** A question with its answer. In a request the new question is last, with an empty answer (seen on 26.1.0 and 25.14.1). */
export interface Turn {
  question: string;
  answer: string;
}
