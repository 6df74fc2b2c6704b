import CommandLineTool
import TodoTerminal

Tool.run(.todoWatch, WatchProgram.run)
