import CommandLineTool
import TodoTerminal

Tool.run(.todoPhone, PhoneProgram.run)
